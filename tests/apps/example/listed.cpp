// Named in the list beside it.
