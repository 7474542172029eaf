"""The daily game: its days and deals, the boards, the posts, and how results are verified."""
