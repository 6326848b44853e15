## Suggested questions and summaries

suggestion-gone = This question is gone: its source was deleted or read again. Ask in your own words.
suggestion-being-answered = I'm answering this question already.

insight-summary =
    <b>In short</b>
    { $text }
