"""Numbers of sentences that follow from others, by words and dimensions; and what only looks as if it did."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.documents.checking.finding import Verdict
from tests.documents.checking.shown import checked, claims

FOLLOWS = [
    ("It processes 4,096 tokens in 2.5 s, i.e. 1,638 tokens/s.", ["4,096 / 2.5 s = 1,638: truncated"]),
    ("We use 80% of 24 GB, i.e. 19.2 GB.", ["80% × 24 GB = 19.2 GB: exact"]),
    ("At 40% of the peak, 312 TFLOPS become 124.8 TFLOPS.", ["40% × 312 TFLOPS = 124.8 TFLOPS: exact"]),
    ("The weights take 84 GB and the cache 36 GB, 120 GB together.", ["84 GB + 36 GB = 120 GB: sum"]),
    ("The total is 120 GB, of which 84 GB are weights and 36 GB the cache.", ["84 GB + 36 GB = 120 GB: sum"]),
    ("Of 2,048 slots 300 are used, and the remaining 1,748 are wasted.", ["2,048 − 300 = 1,748: exact"]),
    ("It fixes 45/50 (90%) of them.", ["45/50 = 90%: exact"]),
    # A count beside the number, before or behind it; a part for each.
    ("A block has 7,087,872 parameters. Twelve of those come to 85,054,464.", ["12 × 7,087,872 = 85,054,464: exact"]),
    ("Das Netz hat 1.574.912 Parameter.\n\nDrei davon haben 4.724.736.", ["3 × 1.574.912 = 4.724.736: exact"]),
    ("The optimizer keeps 208.4 GB. Spread over 4 GPUs that gives 52.1 GB.", ["208.4 GB / 4 = 52.1 GB: exact"]),
    ("El optimizador ocupa 208,4 GB. Repartido entre 4 tarjetas da 52,1 GB.", ["208,4 GB / 4 = 52,1 GB: exact"]),
    # Fractions and multiples in words.
    ("The cache takes 42.9 GB. FP8 halves it, to 21.5 GB.", ["1/2 × 42.9 GB = 21.5 GB: rounded"]),
    ("Der Cache braucht 17,2 GB. Ohne Gruppen wäre es das Vierfache: 68,8 GB.", ["4 × 17,2 GB = 68,8 GB: exact"]),
    ("权重占 15.24 GB。int4 只要四分之一，即 3.81 GB。", ["1/4 × 15.24 GB = 3.81 GB: exact"]),
    # Sums and rests.
    ("Weights take 26.3 GB. Together with a cache of 16.5 GB that makes 42.8 GB.", ["26.3 GB + 16.5 GB = 42.8 GB: sum"]),
    ("80 GB reichen: 26,3 GB Gewichte und 16,5 GB Cache, es bleiben 37,2 GB.", ["80 GB − 26,3 GB − 16,5 GB = 37,2 GB: exact"]),
    ("The card has 81.5 GB. Weights of 14.2 GB leave 67.3 GB.", ["81.5 GB − 14.2 GB = 67.3 GB: exact"]),
    # Rates and cost: dimensions say what is multiplied or divided by what.
    ("An A100 peaks at 312 TFLOP/s; at 40% that's 124.8 TFLOP/s.", ["312 TFLOP/s × 40% = 124.8 TFLOP/s: exact"]),
    ("The run took 452 GPU-hours. At $1.80 an hour the bill is $814.", ["452 GPU-hours × 1.80 = 814: unit"]),
    ("The run took 20 GPU-days. At $1.85 an hour the bill is $888.", ["20 GPU-days × 1.85 = 888: unit"]),
    ("The weights of 43.6 GB are read at 3.35 TB/s in 0.013 s.", ["43.6 GB / 3.35 TB/s = 0.013 s: rounded"]),
    ("26B tokens in 56.5 hours is 128k tokens/s.", ["26B / 56.5 hours = 128k: rounded"]),
    ("Es werden 16,06 GB gelesen. Bei 3,35 TB/s dauert das 4,79 ms.", ["16,06 GB / 3,35 TB/s = 4,79 ms: rounded"]),
    ("一张卡每小时 15.3 元，一天 367.2 元。", ["24 × 15.3 元 = 367.2 元: exact"]),
    ("```\nused=1.78GB, free=77.43GB, total=79.21GB\n```", ["1.78GB + 77.43GB = 79.21GB: sum"]),
    # Ratios.
    ("It went from $814 to $297, so it is 2.74x cheaper.", ["814 / 297 = 2.74x: rounded"]),
    ("The experts hold 1,409,286,144 of the 1,451,270,144 weights, 97.1%.", ["1,409,286,144 / 1,451,270,144 = 97.1%: rounded"]),
    # Ratios of numbers with decimals, also of a sentence in two lines; ratios in a bracket behind what is compared with the last amount of
    # its kind, also in comments of code and in cells with sentences.
    ("A probe of the first layer gives 5.84 at three bits while the one below it\ngives 0.0125, a ~470× gap.", ["5.84 / 0.0125 = 470×: rounded"]),
    ("```python\n# one: 41.6 ms\n# two: 36.3 ms (1.15x faster)\n```", ["41.6 ms / 36.3 ms = 1.15x: rounded"]),
    ("- teacher: (120M)\n- student: tiny (72M, 40% smaller)", ["1 − 72M / 120M = 40%: exact"]),
    ("- one: 7.5 GB\n- two: 8.4 GB, 12% more", ["8.4 GB / 7.5 GB − 1 = 12%: exact"]),
    ("| goal | seen |\n|---|---|\n| a | Tests show ~24 tok/s with the card, ~80 tok/s in int4 (3.3x faster) |", ["80 / 24 = 3.3: rounded"]),
    ("| goal | seen |\n|---|---|\n| a | The tests verify that a 7.3B model in fp16 takes 14.6 GB |", ["7.3B × 2 bytes = 14.6 GB: exact"]),
    ("The cache of 96 GB shrinks to 12 GB, by a factor of 8.", ["96 GB / 12 GB = 8: exact"]),
    ("Statt 96 GB braucht er 12 GB, also um den Faktor 8 weniger.", ["96 GB / 12 GB = 8: exact"]),
    ("모델은 130 GB, 줄인 것은 52 GB (60% 작음)", ["1 − 52 GB / 130 GB = 60%: exact"]),
    ("The chip has ~40 KB vs 236 MB for this model (5,900x smaller)", ["236 MB / 40 KB = 5,900x: exact"]),
    # A count of things that have so much, a rate per thing, the inverse of a duration, a price for a kilowatt-hour; a dollar sign of TeX.
    ("The run writes 40 checkpoints of 48.5 GB, 1.94 TB in all.", ["40 × 48.5 GB = 1.94 TB: exact"]),
    ("Le serveur prend 42.6 MFLOPs par token, 197 tokens prennent 8.39 GFLOPs.", ["197 × 42.6 MFLOPs = 8.39 GFLOPs: rounded"]),
    ("A step of decoding takes 14.4 ms, i.e. 69.4 tokens/s.", ["1 / 14.4 ms = 69.4: rounded"]),
    ("The node draws 5.6 kW. Over 46.9 hours that is 262.6 kWh, at $0.12 per kWh $31.5.",
     ["5.6 kW × 46.9 hours = 262.6 kWh: rounded", "262.6 kWh × 0.12 = 31.5: unit"]),
    ("It has $400 \\cdot 32 = 12,800$ weights and 32 biases, in total 12,832.",
     ["400 \\cdot 32 = 12,800: exact", "12,800 + 32 = 12,832: sum"]),
    # Sums of a list above, what one has more than another, and values in a format.
    ("- a: 1,638,400\n- b: 3,276,800\n- c: 2,560\n\nThat is 4,917,760 per block.", ["1,638,400 + 3,276,800 + 2,560 = 4,917,760: sum"]),
    ("The new one has 7,241,732,096 weights. Compared with the old one (6,738,415,616) it has 503,316,480 more.",
     ["7,241,732,096 − 6,738,415,616 = 503,316,480: exact"]),
    ("An image has 131,073 values, 524 kB in fp32.", ["4 × 131,073 = 524 kB: rounded"]),
    # A format, a formula with the values of the page, and a percentage more.
    ("The model has 124,439,808 parameters. In fp32 the whole thing is 498 MB.", ["124,439,808 × 4 bytes = 498 MB: rounded"]),
    ("N = 7,241,732\n\nEach token takes 2N, which makes 14,483,464 operations.", ["2N = 14,483,464: exact"]),
    ("The training budget is 10^21 FLOPs.\n\n# Later\n\nTwice that training budget is 2,000,000,000,000,000,000,000 FLOPs.",
     ["2 × 10^21 FLOPs = 2,000,000,000,000,000,000,000 FLOPs: exact"]),
    ("吞吐 2437 token/s，提高 50%，到 3655.5 token/s。", ["2437 × (1 + 50%) = 3655.5: exact"]),
    # An amount of one digit that is exact, a part for each with few digits, a bracket behind a format, and equal parts of a sum.
    ("The weights take 16.0 GB. Spread over 8 GPUs that is 2 GB per GPU.", ["16.0 GB / 8 = 2 GB: exact"]),
    ("Zusammen 20,8 GB.\n\nAuf vier Karten verteilt bleiben 5,2 GB pro Karte.", ["20,8 GB / 4 = 5,2 GB: exact"]),
    ("A card reads 1,008 GB/s.\n\nIn int4 (6.5 GB) a token takes 6.45 ms.", ["6.5 GB / 1,008 GB/s = 6.45 ms: rounded"]),
    ("Weights take 26.3 GB, gradients 26.3 GB.\n\nAdam takes 157.4 GB. In total that makes 210.0 GB.",
     ["26.3 GB + 26.3 GB + 157.4 GB = 210.0 GB: sum"]),
    # A part that words call a share of the largest number; so many of so many; a count that stands elsewhere, of a long number.
    ("reserved: 12,288 tokens, used: 1,700 tokens\n效率：13.8%", ["1,700 / 12,288 = 13.8%: rounded"]),
    ("depthwise: 3,612,672\npointwise: 25,690,112\nsum: 29,302,784\ndepthwise share: 12.33%",
     ["3,612,672 + 25,690,112 = 29,302,784: sum", "3,612,672 / 29,302,784 = 12.33%: rounded"]),
    ("На шаг приходится 512 последовательностей по 1024 токена, то есть 524288 токенов.", ["512 × 1024 = 524288: exact"]),
    ("28 × block\n  per block: 201,355,264\n  all of them: 5,637,947,392", ["28 × 201,355,264 = 5,637,947,392: exact"]),
    # Formats and binary units in words; a count and a size that are powers of two, if words say so.
    ("The model has 2,778,726,400 parameters. In half precision that is 5.56 GB.", ["2,778,726,400 × 2 bytes = 5.56 GB: rounded"]),
    ("Le modèle a 302 309 376 paramètres. En simple précision il occupe 1,21 Go.", ["4 × 302 309 376 = 1,21 Go: rounded"]),
    ("Один токен занимает 819200 байт, то есть 800 КиБ.", ["819200 байт = 800 КиБ: exact"]),
    ("1 行列あたり 65,536 パラメータ、1 層に 2 行列なので 131,072 です。", ["2 × 65,536 = 131,072: exact"]),
    # Several times as much, and two operations for each multiplication.
    ("前向是 26.4 GFLOPs，反向是前向的 2 倍，即 52.8 GFLOPs。", ["26.4 GFLOPs × 2 = 52.8 GFLOPs: exact"]),
    ("The block takes 106 million MACs, or 212 MFLOPs.", ["2 × 106 million = 212 MFLOPs: exact"]),
    # Three matrices of one size, and the value of a formula of the page.
    ("MLP 有三个 4096×14336 的矩阵，总共 176,160,768。", ["3 × (4096×14336) = 176,160,768: exact"]),
    # So many times as much, beside a comma; a count in front of the number; each of several, and all of them; a bracket behind words.
    ("On disk it takes 8.4 MB; with 64 it would be 8 times as much, 67.2 MB.", ["8.4 MB × 8 = 67.2 MB: exact"]),
    ("它占 1.75 GB。没有分组是其 7 倍，12.25 GB。", ["1.75 GB × 7 = 12.25 GB: exact"]),
    ("A matrix adds 65,536 parameters, two per layer 131,072, 32 layers 4,194,304.",
     ["2 × 65,536 = 131,072: exact", "32 × 131,072 = 4,194,304: exact"]),
    ("It serves 32 sequences, whose caches (0.8 GB each, 25.6 GB in all) fit.", ["32 × 0.8 GB = 25.6 GB: exact"]),
    ("The weights take 12.4 GB. On one H100 (3,350 GB/s) they are read in 3.70 ms.", ["12.4 GB / 3,350 GB/s = 3.70 ms: rounded"]),
    # All layers, whose count stands above with its word; a formula said before a number; the unit of a label; a bracket of weights.
    ("It has 32 layers.\n\n- one layer: 78,643,200\n- all layers: 2,516,582,400", ["32 × 78,643,200 = 2,516,582,400: exact"]),
    ("$h = 2048$\n\nThis is $12h^2$, so\n\none layer is 50,331,648 weights.", ["(12h^2) = 50,331,648: exact"]),
    ("- GPU-hours: 14,080\n- power (kW): 0.7\n- energy: 9,856 kWh", ["14,080 × 0.7 = 9,856 kWh: exact"]),
    ("The layers are 400→120 (48,120) and 120→84 (10,164), in total 58,284.",
     ["400 × 120 + 120 = 48,120: exact", "120 × 84 + 84 = 10,164: exact", "48,120 + 10,164 = 58,284: sum"]),
    # A formula in which the count before the number is the only letter without a value; a total with what stands behind it.
    # A total without some of its parts, and the total once more in short; a rate behind a comma.
    ("It has 124,439,808 parameters, 38,597,376 of them for tokens and 786,432 for positions. Without these it has 85,056,000.",
     ["124,439,808 − 786,432 − 38,597,376 = 85,056,000: exact"]),
    ("- tokens: 24,960\n- blocks: 10,621,440\n- total: 10,646,400\n\nWe get 10.6M.",
     ["24,960 + 10,621,440 = 10,646,400: sum", "10,646,400 = 10.6M: rounded"]),
    ("The cache takes 327,680 bytes, or 320 KiB, per token. At 131,072 tokens that is 40 GiB.",
     ["327,680 bytes = 320 KiB: exact", "131,072 × 320 KiB = 40 GiB: exact"]),
    # In one row, with the sizes of each model before its amounts.
    ("bytes = 2 × L × H × d × T × 2\n\nLlama (L=32, H=8, d=128) 4K tokens 0.5 GB 24K tokens 3 GB Mistral (L=80, H=8, d=128) 8K tokens 2.5 GB",
     ["(2 × L × H × d × T × 2) = 0.5 GB: rounded", "(2 × L × H × d × T × 2) = 3 GB: rounded", "(2 × L × H × d × T × 2) = 2.5 GB: unit"]),
    ("bytes = 2 × L × H × d × T × 2\n\nIt has L = 32, H = 8, d = 128.\n\n- 4K tokens: 0.5 GB\n- 24K tokens: 3 GB",
     ["(2 × L × H × d × T × 2) = 0.5 GB: rounded", "(2 × L × H × d × T × 2) = 3 GB: rounded"]),
    ("The blocks have 85,054,464 weights, the tables 38,597,376 and 786,432. Total: 124,439,808 with the last norm (1,536).",
     ["85,054,464 + 38,597,376 + 786,432 + 1,536 = 124,439,808: sum"]),
    # A bill, a count of requests, a format before a Korean particle, a rate in words before it, a fourth number back, rounded parts.
    ("- GPU-hours: 14,080\n- cost @ $2.50: $35,200", ["14,080 × 2.50 = 35,200: unit"]),
    ("La cache est de 2,25 Gio, et avec huit requêtes 18 Gio.", ["8 × 2,25 Gio = 18 Gio: exact"]),
    ("353,453,056개의 파라미터는 fp16으로 707 MB입니다.", ["353,453,056 × 2 bytes = 707 MB: rounded"]),
    ("1 トークンに 15.6 ms、つまり毎秒 64.1 トークン。", ["1 / 15.6 ms = 64.1: rounded"]),
    ("A block has 7,087,872: 2,362,368, 4,722,432 and 3,073 or so. Twelve blocks have 85,054,464.", ["12 × 7,087,872 = 85,054,464: exact"]),
    ("The layers have 709M, the tables add 64.3M, in total 773.5M.", ["709M + 64.3M = 773.5M: sum"]),
    # A table of facts.
    ("| fact | value |\n|---|---|\n| Speed | 192 PFLOP/s |\n| Memory | 41 GB |\n| Budget | 2.0e24 FLOPs |\n| Time | 1.04e7 s |\n",
     ["2.0e24 FLOPs / 192 PFLOP/s = 1.04e7 s: rounded"]),
    # In proportion to counts of the same things; all of several, each of which has as much.
    ("At 8k tokens the cache takes 2.6 GB, at 16k tokens 5.2 GB.", ["2 × 2.6 GB = 5.2 GB: exact"]),
    ("- 4k context: 768 MiB\n- 16k context: 3 GiB\n- 128k context: 24 GiB", ["4 × 768 MiB = 3 GiB: exact", "8 × 3 GiB = 24 GiB: exact"]),
    ("There are three gates, each 512 × 300 + 512 = 154,112, and in total 462,336.",
     ["512 × 300 + 512 = 154,112: exact", "3 × 154,112 = 462,336: exact"]),
    # Endings of words and units in Korean and Russian.
    ("메모리는 208.4 GB입니다. GPU 4장에 나누면 52.1 GB입니다.", ["208.4 GB / 4 = 52.1 GB: exact"]),
    ("1토큰당 캐시는 131,073바이트이고, 8,191토큰이면 1,073,618,943바이트입니다.", ["8,191 × 131,073바이트 = 1,073,618,943바이트: exact"]),
    ("Чтение 16,3 ГБ весов со скоростью 1,7 ТБ/с занимает 9,59 мс.", ["16,3 ГБ / 1,7 ТБ/с = 9,59 мс: rounded"]),
    ("$V = 40479$, $H = 769$\n\nThe table has $VH + 2H$ weights.\n\nIts file lists 31,129,889 of them.", ["(VH + 2H) = 31,129,889: sum"]),
]  # fmt: skip

LEFT_ALONE = [
    # A range is no ratio, nor is a factor of a line that is not broken the one of what stands above it.
    "The table has 100 bytes, the code 50 bytes; packing it may give 1.5-2.0x",
    "Read 5.84 here.\n0.0125 is something else, a ~470× gap.",
    "- teacher: (120M)\n- student: tiny (72M, 30% smaller)",
    "The cache of 96 GB shrinks to 12 GB, by a factor of 9.",
    # Sums whose parts the total does not show, numbers of a list of data, and an English word that is an Italian number.
    "The budget: 960 MB for the cache, 24 GB for the weights. **Total: ~25.4 GB** with it.",
    "It has 0.7610 and 0.0043 of both, in total 128001 with the 128000 that begin.",
    "13, 21, 28657, 46368, 75025, 121393, 196418, 317811, 514229",
    "It is slower than the 26B A4B (sparse, ~4B active) due to all 30B params being active.",
    # Other numbers.
    "The compute budget is 10²¹ FLOPs.\n\n## Next\n\nFor this compute budget the data are 192 times the model.",
    "A block has 7,087,872 parameters. Twelve of those come to 85,154,999.",
    "The run took 452 GPU-hours. At $1.80 an hour the bill is $905.",
    "The cache takes 42.9 GB. FP8 halves it, to 31.5 GB.",
    "The weights take 17.2 GB. Spread over 8 GPUs that is 2 GB per GPU.",
    # A digit that rounding does not explain: 20.8 GB are 5.2 GB for each.
    "It takes 20.8 GB. Spread over 4 GPUs that is 5.3 GB per GPU.",
    "The adapters report 400 Gb/sec, so there are 2 others of 100Gbps.",
    "The cache takes 4.4 GB, and 8 users wait for 3 GB.",
    # Nothing says that one follows from the other; one is an index, a version, a device or in lines of code.
    "RTX 5000 has 6 MB of cache and 32 GB of memory.",
    "- tied 1: 2002\n- tied 2: 4004",
    "12B in FP16 on a 24 GB card",
    "```\n-rw-r--r-- 1 root root 3563 Sep 27 README\n-rw-r--r-- 2 root root 7126 Sep 27 Makefile\n```",
    "市场：服务 500 亿美元，工具 200 亿美元 60% 增长，设施 800 亿美元",
    "它把带宽从 2039 GB/s 提到 8000 GB/s。\n\n利用率 25%，和带宽无关。",
    # A count above that is not one of layers, an arrow from one time to another, and a formula of another number.
    "It has 32 heads.\n\n- one layer: 78,643,200\n- all layers: 2,516,582,400",
    "The time falls, 400→120 (48,121) and 120→84 (10,165).",
    "$h = 2048$\n\nThis is $12h^2$, so\n\none layer is 50,331,684 weights.",
    "It takes 12 weeks in three phases, each with a week at its end, up to week 12:",
    # Not to its last digit, not its short form, and a rate before another amount.
    "The model has 10,744,704 parameters.\n\n- positions: 98,304\n- without positions: 10,646,404",
    "- tokens: 24,960\n- blocks: 10,621,441\n\nWe get 10.5M.",
    "The cache takes 320 KiB, per token 131 KiB are kept. At 131,072 tokens that is 40 GiB.",
    # Two letters without a value, and an amount that the count does not give.
    "bytes = 2 × L × H × d × T × 2\n\nIt has L = 32, H = 8.\n\n- 4K tokens: 0.5 GB",
    "bytes = 2 × L × H × d × T × 2\n\nIt has L = 32, H = 8, d = 128.\n\n- 4K tokens: 0.6 GB\n- 24K tokens: 4 GB",
    # A table of one kind of numbers.
    "| fact | value |\n|---|---|\n| Speed | 192 |\n| Budget | 2.0e9 |\n| Time | 1.04e7 |\n",
    # Counts of other things, and an amount that is not in proportion.
    "- 4k context: 768 MiB\n- 16k layers: 3 GiB",
    "- 4k context: 768 MiB\n- 16k context: 3.5 GiB",
    # Other things than those that it is so much for.
    "Each token takes 0.53 MB. A prompt of 3,000 layers takes 1.59 GB.",
    # A total of another number, the end of a range, a condition, and columns.
    "- try 1: 30s (total so far: 30s)\n- try 2: 60s + noise (total so far: 90s)",
    "Each of them takes 100 ms, and another one 100 ms. The total may be 150–200 ms.",
    "Each of them takes 100 ms, and another one 100 ms. If the total is 200 ms, each has a part.",
    "```\nmean    ~60.3%      ~60.6%      ~66.0%\n```",
    # "So" announces no sum of round numbers, and a total is not added to its parts.
    "A port has 200Gbps, and each link has 200Gbps, so there is no 400Gbps port.",
    "It was tried at 8k and at 8k with noise, so 16k is new.",
    "```\nweights: 3.3 MB\nstates: 2.9 MB\nhalf of it: 6.2 MB\nwith momentum: 12.3 MB total\n```",
]


SLIPS = [
    # 12 × 7,087,872 = 85,054,464; 12 · 3.145.728 = 37.748.736: a digit is wrong, or two are swapped.
    ("A block has 7,087,872 parameters, and 12 blocks have 85,054,364.", ["12 × 7,087,872 = 85,054,364: wrong-number"]),
    ("A block has 7,087,872 parameters, and 12 blocks have 85,045,464.", ["12 × 7,087,872 = 85,045,464: wrong-number"]),
    # Two digits differ; a thousand more may be classes that are counted as well.
    ("A block has 7,087,872 parameters, and 12 blocks have 85,054,355.", []),
    ("A block has 7,087,872 parameters, and 12 blocks have 85,055,464.", []),
    # Fewer digits are too often one slip away from something: 95 ms × 15,640 = 24.8 minutes; 312 × 45 % = 140.4; 452 × 1.80 = 813.6.
    ("The run took 15,640 steps. At 95 ms per step that is 28.4 minutes.", []),
    ("A card gives 312 TFLOP/s, of which 45% remain: 149.4 TFLOP/s.", []),
    ("The run took 452 GPU-hours. At $1.80 an hour the bill is $841.", []),
]


@pytest.mark.parametrize(("text", "expected"), SLIPS, ids=[text[-50:] for text, _ in SLIPS])
def test_a_slip_of_the_pen_in_what_follows_is_wrong(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


BOUNDS = [
    # A single digit says something only if it is exact, and words announce it.
    ("The cache takes 11.4 GB. FP8 halves it, to 6 GB.", []),
    ("The cache takes 12.0 GB. FP8 halves it, to 6 GB.", ["1/2 × 12.0 GB = 6 GB: exact"]),
    # The bounds of chance: two digits if dimensions leave no other way, with 9 and 10 possible values (times seven, the spread of what is
    # tried);
    ("Each step reads 3.02 GB. At 3.35 TB/s that is 0.9 ms.", []),
    ("Each step reads 3.42 GB. At 3.35 TB/s that is 1.0 ms.", ["3.42 GB / 3.35 TB/s = 1.0 ms: rounded"]),
    # 1 in 300 if the dimensions are only allowed, with 42 and 43 values;
    ("It saw 31,550 images. At 751.2 images/s that is 42 s.", []),
    ("It saw 32,300 images. At 751.2 images/s that is 43 s.", ["32,300 / 751.2 = 43 s: rounded"]),
    # and 1 in 10,000 if nothing does, with 314 and 3,142.
    ("The file has 11.7 GB, the disk 37.24 GB (31.4%).", []),
    ("The file has 11.7 GB, the disk 37.24 GB (31.42%).", ["11.7 GB / 37.24 GB = 31.42%: rounded"]),
    # A multiple of a power of two is one by chance.
    ("A page has 8,388,608 places. With 32 lanes they are 262,144 apart.", []),
    ("A page has 8,392,032 places. With 32 lanes they are 262,251 apart.", ["8,392,032 / 32 = 262,251: exact"]),
    # Nothing follows from a year.
    ("It was written in 2019. Twelve of those come to 24,228.", []),
    ("The list has 2,019 rows. Twelve of those come to 24,228.", ["12 × 2,019 = 24,228: exact"]),
]


@pytest.mark.parametrize(("text", "expected"), BOUNDS, ids=[text[-50:] for text, _ in BOUNDS])
def test_a_number_that_may_be_met_by_chance_does_not_follow(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


@pytest.mark.parametrize(("number", "found"), [("2020", []), ("3020", ["unclear-subject"])])
def test_a_year_with_a_name_counts_no_parameters(number: str, found: list[str]) -> None:
    document = checked(f"在参数量相同的条件下，它比没有门控时学得更好（Shazeer {number}）。", config="llama-3-8b")
    assert [each.code for each in document.findings] == found


@pytest.mark.parametrize(("text", "expected"), FOLLOWS, ids=[text[-50:] for text, _ in FOLLOWS])
def test_a_number_follows_from_others(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


@pytest.mark.parametrize("text", LEFT_ALONE, ids=[text[-50:] for text in LEFT_ALONE])
def test_other_numbers_are_left_alone(text: str) -> None:
    assert claims(text) == []


@given(st.integers(1_000_000, 9_999_999), st.integers(2, 99), st.integers(-9, 9))
def test_a_multiple_holds_only_if_it_is_one(one: int, count: int, off: int) -> None:
    found = checked(f"A layer has {one:,} parameters, and {count} layers have {count * one + off:,}.").findings
    assert all(each.verdict is Verdict.HOLDS for each in found) if not off else all(each.verdict is not Verdict.HOLDS for each in found)
