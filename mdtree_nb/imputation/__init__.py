"""What strategies that fill holes have in common: values to fill in, neighbours, draws.

Strategies do not import each other; what several of them need stands here. Nothing here
sees labels, and nothing learns from rows to predict.
"""
