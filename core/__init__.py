"""Konspekt without Telegram: what it knows and what it does.

The pipeline, which is also the order of the folders:

1. `library`: a person's notebooks and the sources put into them.
2. `ingest`: a source's bytes become clean text, chunks, postings and vectors.
3. `insights`: a summary and key points of each source.
4. `retrieval`: a question finds its passages inside one notebook.
5. `answering`: passages become an answer, and `evidence` checks its citations.
6. `study`: sources become cards that come back on the right day.
7. `billing`: every model call passes its ledger.
"""
