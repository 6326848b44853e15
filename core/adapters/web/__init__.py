"""Pages behind links: the filtered way out, the fetcher, the pooled browser, and what is made of a page."""
