"""Classes of confusion matrices as values: count, iterate, rank and unrank, without any index."""
