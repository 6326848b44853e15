### Photos, scans and pictures

source-photo-no-text = No text that can be read was found in the picture. Take it closer, straighter and in good light, or send the text in words.
lost-picture-cut = Picture { $page } did not arrive whole: its lower part was not read. Send it once more.

vision-rate-limited = The reading of pictures is busy now. Send the file again in a few minutes.
vision-timeout = The reading of pictures did not answer in time. Send the file again in a few minutes.
vision-unavailable = The reading of pictures is not available now. Send the file again a little later.
vision-dropped = { vision-unavailable }
vision-broken-reply = { vision-unavailable }
vision-empty = { vision-unavailable }
vision-auth = The reading of pictures does not accept this bot’s key. Only its owner can put that right.
vision-no-credit = The bot has run out of credit for reading pictures. Only its owner can top it up.
vision-unknown-model = The reading of pictures is set up wrongly. Only the bot’s owner can put that right.
vision-context-too-long = { source-too-heavy }
vision-bad-request = The reading of pictures did not accept this file. Send it in another form, for example as PDF.
vision-content-filter = The service that reads pictures did not let this one through. Send its text in words.
