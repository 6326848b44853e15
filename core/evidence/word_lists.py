"""The closed word classes of Russian and English that comparing texts needs, lower case, ё as е."""


def word_set(words: str) -> frozenset[str]:
    """Read words that stand between spaces."""
    return frozenset(words.split())


STOP_WORDS = word_set(
    "а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее "
    "если есть еще же за здесь и из или им их к как какая какие каким какими каких какого какое какой каком "
    "какому какую ко когда кто кем кого кому куда ли либо между меня мне многие может можно мой мы на над нам нас "
    "наш него нее ней них но ну о об однако он она они оно от откуда очень перед по под после потом потому почему "
    "при про с сам самый свой свою себя скольких сколько со так также такая такие такое такой там тем тех то "
    "тогда того тоже той только том тот ту тут ты у уже хотя чего чей чем через что чтобы чье чья эта эти этим "
    "этих это этого этой этом этому этот эту я является являются являлся являлась затем кроме поэтому причем "
    "именно который которая которое которые которого которой которых которым которую котором сколь зачем "
    "насколько зато a about after again all also am an and any are as at be because been before being both but by "
    "can could did do does doing down during each few for from further had has have having he her here hers him "
    "his how however i if in into is it its just may me might more most much must my of off on once only or other "
    "our out over own same shall she should so some such than that the their them then there these they this "
    "those through to too under until up us very was we were what when where which while who whom whose why will "
    "with would you your "
)
"""Words without content of their own. Negations are not among them."""

NEGATIONS = word_set(
    "не ни нет никогда никто ничто ничего никак нигде никакой никакая никакие никакого никаких нельзя неверно "
    "неправда not no never none nobody nothing neither nor cannot without false untrue "
)
"""Words that turn a statement round."""

REPORTING_WORDS = word_set(
    "источник источники источнике источников текст тексте документ документе автор авторы автора отмечает "
    "отмечается отмечают указано указывает указывается говорится сообщается согласно описывает описывается описан "
    "сказано материал материале материалах пишет подчеркивает приводится source sources passage passages text "
    "author authors document according states stated mentions mentioned notes describes described reports "
    "reported says said "
)
"""Words that only say who reports, as in "в источнике сказано"."""

NEVER_LAST = word_set(
    "см ср напр им ул рис табл стр гл ст проф акад доц св обл т пп п ред изд вып оз пос ст-ца чл корр инж mr mrs "
    "ms dr prof fig figs eq eqs vol st vs gen col sgt capt rev hon approx ed eds pp sec ch ref refs al e.g i.e "
    "cf е т.е jan feb mar apr jun jul aug sep sept oct nov dec "
)
"""Abbreviations that a sentence hardly ever ends with, without their full stop."""

AFTER_NUMBER = word_set("г гг в вв с ч р д м кв о p ")
"""Abbreviations that end a sentence only if what follows likes to begin one: "в 1999 г. Он"."""

BEFORE_NUMBER = word_set("no nos")
"""Abbreviations only before a number: "No. 5", but "The answer is no."."""

UNITS = word_set("тыс млн млрд трлн руб коп долл ")
"""Units that belong to what follows unless a sentence plainly begins there."""
