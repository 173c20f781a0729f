"""Counts that are so many for each of several things, and what only looks so."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("With 6 cards per server and 48 servers we arrive at a batch of 288 images.", ["6 × 48 = 288: exact"]),
        ("The run has N=48 nodes and a per-node batch of 12, and the batch is 576.", ["48 × 12 = 576: exact"]),
        ("A group (4 rows (24 cells), in total 96 cells) is one unit.", ["4 × 24 = 96: exact"]),
        ("The 1,536 weights are divided into 12 blocks, each containing 128 weights.", ["1,536 / 12 = 128: exact"]),
        ("640 cells in total: there are 8 in each of its 80 rows.", ["640 / 8 = 80: exact"]),
        ("It trains on 12 pods of 8,960 chips, or 107,520 chips.", ["12 × 8,960 = 107,520: exact"]),
        ("A single unit performs 48 steps per cycle, so that 12 units perform 576 steps.", ["12 × 48 = 576: exact"]),
        ("A 27B model split across 8 cards means that each card holds ~3.375B parameters.", ["27B / 8 = 3.375B: exact"]),
        ("The 500 requests are spread over 24 cards, so that each has 20.8 of them.", ["500 / 24 = 20.8: rounded"]),
        ("Each rack has 36 cards. With 14 racks there are 504 cards in total.", ["14 × 36 = 504: exact"]),
        (
            "We have 48 nodes in the cluster, and each of the nodes has its own\n6 cards, so that there are 288 cards.",
            ["48 × 6 = 288: exact"],
        ),
        ("Mit 6 Karten pro Knoten und 48 Knoten haben wir insgesamt 288 Karten.", ["48 × 6 = 288: exact"]),
        ("Avec 48 nœuds et 6 cartes par nœud, on a 288 cartes au total.", ["48 × 6 = 288: exact"]),
        ("Con 48 nodos y 6 tarjetas por nodo tenemos 288 tarjetas en total.", ["48 × 6 = 288: exact"]),
        ("Con 48 nodi e 6 schede per nodo si hanno 288 schede in totale.", ["48 × 6 = 288: exact"]),
        ("Com 48 nós e 6 placas por nó temos 288 placas no total.", ["48 × 6 = 288: exact"]),
        ("48 узлов, в каждом узле 6 карт, всего 288 карт.", ["48 × 6 = 288: exact"]),
        ("48 ノード、1 ノードあたり 6 枚、合計 288 枚を使う。", ["48 × 6 = 288: exact"]),
        ("48개 노드, 노드당 6개 카드, 총 288개 카드를 사용한다.", ["48 × 6 = 288: exact"]),
        ("`200` 个请求分布在 `32` 个 `GPU` 上，平均每 `GPU` 处理 `6.25` 个请求", ["200 / 32 = 6.25: exact"]),
        # Another number, another thing, a product by chance, one of one digit, and what is no count.
        ("We have 48 nodes with 6 cards per node, and 289 cards in total.", []),
        ("We have 48 nodes with 6 cards per node and 288 users.", []),
        ("The 32 layers have 128 dimensions per head and a width of 4096.", []),
        ("A model with 12 layers, each with 64 units, and a size of 768.", []),
        ("Each pass turns 4-bit weights, stored with 4-bit scales, into 16-bit ones.", []),
        ("It is a small number of units, 48 instead of 96, and it uses 4 instead of 12 units per token.", []),
        ("We have 2 nodes with 4 cards per node, 8 cards in total.", []),
        ("At degree 3 you get 16 values per channel, 48 floats for each.", []),
        ("Each of the runs takes 48 minutes (12 with the cache) and 4% more.", []),
    ],
)
def test_a_count_is_so_many_for_each(text: str, found: list[str]) -> None:
    assert claims(text) == found
