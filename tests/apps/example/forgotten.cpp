// Named in no list.
