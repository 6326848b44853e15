### Links: why a page was not read, and what changed.

link-invalid = This does not look like a page’s address. Copy the whole link from your browser and send it again.
link-private = This address is not open to the Internet, and only what everybody can open is read here. Send the page’s text or a file.
link-not-found = There is no page at this link. Check the address and send it again.
link-too-large = { $limit_mb ->
    [one] There is more than { $limit_mb } megabyte behind this link, which is too much. Send the part you need as a file.
   *[other] There are more than { $limit_mb } megabytes behind this link, which is too much. Send the part you need as a file.
}
link-login = This page is shown only after signing in. Share it by link, or send its text, a file or a screenshot.
link-captcha = The site checks for a human and does not show the page. Open it yourself and send the text, or save it as PDF.
link-refused = The site does not give out this page. Open it yourself and send the text, or save it as PDF.
link-unreachable = The site does not answer. If the page opens for you, try again later or send its text.
link-parked = There is no site at this address: the domain is for sale or not set up. Check the link.
link-empty = No text was found on this page. If you can see it, copy it and send it as a message.
link-telegram-closed = Only members of the chat see this post. Forward it here and it will be read.
lost-page-end = The page is very long: its beginning was read.
