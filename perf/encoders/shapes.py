"""The encoders that are measured, and what products and attention of texts must compute."""

# Layers, width, heads, cells behind the first product of the second half.
SHAPES = {"MiniLM-L6": (6, 384, 12, 1536), "MiniLM-L12": (12, 384, 12, 1536), "BERT-base": (12, 768, 12, 3072)}
PRECISIONS = ("f32", "bf16", "int8")
LENGTHS = (8, 16, 32, 64, 128, 256, 512)
# What products multiply at a precision, and attention: where a core has no peak of its own for such cells, that of floats counts.
PRODUCT_CELLS = {"f32": "float", "bf16": "bfloat16", "int8": "int8"}
ATTENTION_CELLS = {"f32": "float", "bf16": "bfloat16", "int8": "bfloat16"}
CELL_BYTES = {"f32": 4, "bf16": 2, "int8": 1}


def weight_cells(shape):
    """Of all matrices that rows are multiplied with: four of attention, two of the second half of a layer."""
    layers, width, _, inner = shape
    return layers * (4 * width * width + 2 * width * inner)


def product_flops(shape, lengths):
    """Of the products with weights: multiplications and additions."""
    return 2 * weight_cells(shape) * sum(lengths)


def attention_flops(shape, lengths):
    """Of queries with keys, and of weights with values."""
    layers, width, _, _ = shape
    return 4 * layers * width * sum(length * length for length in lengths)


def element_wise_bytes(shape, lengths):
    """What a normalization and what stands before it must read and write: three rows become one for each token, and twice in each layer
    two rows become one. Softmax and gelu are not counted: they need not go through memory."""
    layers, width, _, _ = shape
    return 4 * width * (3 + 2 * layers * 2) * sum(lengths), 4 * width * (1 + 2 * layers) * sum(lengths)


class Peaks:
    """What `encoders_benchmark peaks` says, the best of several times."""

    def __init__(self):
        self.arithmetic, self.levels = {}, {}

    def add(self, measured):
        for each in measured["arithmetic"]:
            self.arithmetic[each["cells"]] = max(each["operations_per_second"], self.arithmetic.get(each["cells"], 0))
        for each in measured["levels"]:
            _, load, store = self.levels.get(each["name"], (0, 0, 0))
            self.levels[each["name"]] = (each["bytes"], max(load, each["load_bytes_per_second"]), max(store, each["store_bytes_per_second"]))

    def operations(self, cells):
        return self.arithmetic.get(cells, self.arithmetic["float"])

    def level_of(self, size):
        """The name of the fastest level that holds so many bytes; the last one, memory, holds all."""
        names = list(self.levels)
        return next((name for name in names[:-1] if size <= self.levels[name][0]), names[-1])


def floors(shape, lengths, precision, peaks):
    """The least milliseconds: of products and attention by arithmetic, of element-wise work and of reading the weights once by bytes, each
    from the fastest level that holds them. Rows are those of the longest text."""
    weight_bytes = weight_cells(shape) * CELL_BYTES[precision]
    read, written = element_wise_bytes(shape, lengths)
    _, load, store = peaks.levels[peaks.level_of(4 * shape[1] * 3 * max(lengths))]
    level = peaks.level_of(weight_bytes)
    return {"products": 1e3 * product_flops(shape, lengths) / peaks.operations(PRODUCT_CELLS[precision]),
            "attention": 1e3 * attention_flops(shape, lengths) / peaks.operations(ATTENTION_CELLS[precision]),
            "element_wise": 1e3 * (read / load + written / store),
            "weights": 1e3 * weight_bytes / peaks.levels[level][1], "level": level}
