"""How good and how fast PAM is, measured: each figure is printed beside its target.

make bench                                              over the example company
make bench B="--documents DIR --questions FILE"         over documents and questions of one's own
make bench B="speed --documents DIR"                    one half of it (quality or speed)
"""
