#include <tenrex/label.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <unordered_map>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lib/storage/label_storage.h"
#include "lib/support/format.h"
#include "lib/support/hash_seed.h"
#include "lib/types/characters.h"

namespace tenrex {

namespace {

constexpr std::uint64_t text_bit = std::uint64_t{1} << 63;

// Texts have numbers from 0 on; a label is one of them with the top bit.
constexpr std::uint64_t text_number(Label label) noexcept {
    return static_cast<std::uint64_t>(label) & ~text_bit;
}
constexpr Label text_label(std::uint64_t number) noexcept {
    return Label{text_bit | number};
}

}  // namespace

std::size_t label_storage::SeededHash::operator()(std::string_view text) const noexcept {
    return static_cast<std::size_t>(XXH3_64bits_withSeed(text.data(), text.size(), seed));
}

std::optional<std::uint64_t> canonical_number(std::string_view text) noexcept {
    if (text.empty() || text.size() > 19 || (text[0] == '0' && text.size() > 1)) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    for (char c : text) {
        if (!is_digit(c)) {
            return std::nullopt;
        }
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return number < text_bit ? std::optional(number) : std::nullopt;
}

// What is interned is only ever added, and found without a lock. What is held comes and goes, behind the lock.
struct LabelTable::Content {
    using Bytes = std::unique_ptr<char[]>;
    using SeededHash = label_storage::SeededHash;
    using Slots = label_storage::Slots;
    struct Held {
        std::uint64_t number = 0;
        std::size_t holders = 0;
        Bytes bytes;  // of the text
    };
    static constexpr std::size_t first_slots = 16;

    // The seed differs from table to table and process to process: nobody can prepare labels that collide.
    const SeededHash hash{hash_seed() ^ reinterpret_cast<std::uintptr_t>(this)};
    label_storage::TextArray texts;
    std::atomic<const Slots *> slots{nullptr};
    std::atomic<std::size_t> interned{0};
    // Of held texts, how many have these bits of their hash: what nobody holds is mostly known not to be held.
    std::array<std::atomic<std::uint32_t>, 32> held_by_hash{};

    mutable std::mutex mutex;
    std::vector<std::unique_ptr<Slots>> all_slots;  // also the outgrown ones: someone may be reading them
    std::uint64_t numbers = 0;                      // that were given out
    std::vector<std::uint64_t> free_numbers;        // those that were held
    std::vector<Bytes> chunks;                      // the bytes of the interned texts
    char *room = nullptr;                           // the unused rest of the last chunk
    std::size_t room_size = 0;
    std::size_t text_bytes = 0;  // of chunks, and of held texts
    std::unordered_map<std::string_view, Held, SeededHash> held{0, hash};

    std::atomic<std::uint32_t> &held_like(std::uint64_t text_hash) noexcept { return held_by_hash[text_hash % 32]; }

    std::optional<std::uint64_t> find_interned(std::string_view text, std::uint64_t text_hash) const noexcept {
        const Slots *const now = slots.load(std::memory_order_acquire);
        if (now == nullptr) {
            return std::nullopt;
        }
        for (std::size_t at = static_cast<std::size_t>(text_hash) & now->mask;; at = (at + 1) & now->mask) {
            const std::uint64_t slot = now->of[at].load(std::memory_order_acquire);
            if (slot == 0) {
                return std::nullopt;
            }
            const std::uint64_t number = label_storage::number_in(slot);
            if (label_storage::may_be(slot, text_hash) && texts[number] == text) {
                return number;
            }
        }
    }

    std::optional<std::uint64_t> find(std::string_view text, std::uint64_t text_hash) noexcept {
        // In this order: what is interned is no longer held only after it can be found.
        const bool may_be_held = held_like(text_hash).load(std::memory_order_acquire) != 0;
        if (const auto number = find_interned(text, text_hash); number || !may_be_held) {
            return number;
        }
        const std::scoped_lock lock(mutex);
        const auto found = held.find(text);
        return found != held.end() ? found->second.number : find_interned(text, text_hash);
    }

    // With the lock.
    std::uint64_t intern(std::string_view text, std::uint64_t text_hash) {
        if (const auto number = find_interned(text, text_hash)) {
            return *number;
        }
        const std::size_t count = interned.load(std::memory_order_relaxed);
        reserve_slot(count);
        std::uint64_t number = 0;
        if (const auto found = held.find(text); found != held.end()) {
            number = found->second.number;
            chunks.push_back(std::move(found->second.bytes));  // those who hold it read it there
            add_slot(number, text_hash);
            held.erase(found);
            held_like(text_hash).fetch_sub(1, std::memory_order_release);
        } else {
            number = next_number();
            texts.room(number) = store(text);
            take(number);
            add_slot(number, text_hash);
        }
        interned.store(count + 1, std::memory_order_relaxed);
        return number;
    }

    // With the lock; of a text that is not interned.
    std::uint64_t hold(std::string_view text, std::uint64_t text_hash) {
        if (const auto found = held.find(text); found != held.end()) {
            ++found->second.holders;
            return found->second.number;
        }
        // Giving it back must not need memory.
        if (const std::size_t most = held.size() + free_numbers.size() + 1; free_numbers.capacity() < most) {
            free_numbers.reserve(2 * most);
        }
        Held added{next_number(), 1, std::make_unique<char[]>(text.size() + 1)};
        std::copy(text.begin(), text.end(), added.bytes.get());
        const std::string_view stored(added.bytes.get(), text.size());
        const std::uint64_t number = added.number;
        texts.room(number) = stored;
        held.emplace(stored, std::move(added));
        take(number);
        text_bytes += text.size() + 1;
        held_like(text_hash).fetch_add(1, std::memory_order_release);
        return number;
    }

    // With the lock.
    void release(std::uint64_t number) noexcept {
        const auto found = held.find(texts[number]);
        if (found == held.end() || --found->second.holders != 0) {
            return;  // it was interned meanwhile, or others hold it
        }
        held_like(hash(found->first)).fetch_sub(1, std::memory_order_release);
        text_bytes -= found->first.size() + 1;
        free_numbers.push_back(number);
        held.erase(found);
    }

    std::size_t memory_bytes() const noexcept {
        const std::scoped_lock lock(mutex);
        std::size_t bytes = text_bytes + texts.memory_bytes();
        for (const auto &one : all_slots) {
            bytes += (one->mask + 1) * sizeof(std::uint64_t);
        }
        return bytes + held.bucket_count() * sizeof(void *) +
               held.size() * (sizeof(std::pair<std::string_view, Held>) + 2 * sizeof(void *)) +
               free_numbers.capacity() * sizeof(std::uint64_t) + sizeof(Content);
    }

private:
    std::uint64_t next_number() const noexcept { return free_numbers.empty() ? numbers : free_numbers.back(); }
    void take(std::uint64_t number) noexcept {
        if (number == numbers) {
            ++numbers;
        } else {
            free_numbers.pop_back();
        }
    }

    void reserve_slot(std::size_t count) {
        const std::size_t size = all_slots.empty() ? 0 : all_slots.back()->mask + 1;
        if (2 * (count + 1) <= size) {
            return;
        }
        auto larger = std::make_unique<Slots>(std::max(first_slots, 2 * size));
        for (std::size_t at = 0; at < size; ++at) {
            if (const std::uint64_t slot = all_slots.back()->of[at].load(std::memory_order_relaxed); slot != 0) {
                larger->add(slot, hash(texts[label_storage::number_in(slot)]));
            }
        }
        all_slots.push_back(std::move(larger));
        slots.store(all_slots.back().get(), std::memory_order_release);
    }
    void add_slot(std::uint64_t number, std::uint64_t text_hash) noexcept {
        all_slots.back()->add(label_storage::slot_of(number, text_hash), text_hash);
    }

    std::string_view store(std::string_view text) {
        constexpr std::size_t smallest = 256;
        constexpr std::size_t largest = 16384;
        if (text.size() > room_size) {
            const std::size_t usual = std::clamp(text_bytes, smallest, largest);
            const std::size_t bytes = std::max(usual, text.size());
            chunks.push_back(std::make_unique_for_overwrite<char[]>(bytes));
            text_bytes += bytes;
            room = chunks.back().get();
            room_size = bytes;
        }
        std::copy(text.begin(), text.end(), room);
        const std::string_view stored(room, text.size());
        room += text.size();
        room_size -= text.size();
        return stored;
    }
};

LabelTable::~LabelTable() {
    delete content_.load(std::memory_order_relaxed);
}

LabelTable::Content &LabelTable::content() {
    Content *known = content_.load(std::memory_order_acquire);
    if (known == nullptr) {
        auto made = std::make_unique<Content>();
        // Unless another thread was first: then its own counts.
        if (content_.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) {
            known = made.release();
        }
    }
    return *known;
}

Label LabelTable::intern(std::string_view text) {
    if (const auto number = canonical_number(text)) {
        return numeric_label(*number);
    }
    Content &own = content();
    const std::uint64_t hash = own.hash(text);
    if (const auto number = own.find_interned(text, hash)) {
        return text_label(*number);
    }
    const std::scoped_lock lock(own.mutex);
    return text_label(own.intern(text, hash));
}

std::optional<Label> LabelTable::find(std::string_view text) const noexcept {
    if (const auto number = canonical_number(text)) {
        return numeric_label(*number);
    }
    Content *const own = content_.load(std::memory_order_acquire);
    const auto number = own == nullptr ? std::nullopt : own->find(text, own->hash(text));
    return number ? std::optional(text_label(*number)) : std::nullopt;
}

std::string LabelTable::text(Label label) const {
    if (is_numeric(label)) {
        return fmt::format("{}", static_cast<std::uint64_t>(label));
    }
    return std::string(stored_text(label));
}

std::string_view LabelTable::stored_text(Label label) const noexcept {
    return content_.load(std::memory_order_acquire)->texts[text_number(label)];
}

std::size_t LabelTable::size() const noexcept {
    const Content *const own = content_.load(std::memory_order_acquire);
    return own == nullptr ? 0 : own->interned.load(std::memory_order_relaxed);
}

std::size_t LabelTable::memory_bytes() const noexcept {
    const Content *const own = content_.load(std::memory_order_acquire);
    return own == nullptr ? 0 : own->memory_bytes();
}

HeldLabels::HeldLabels(HeldLabels &&other) noexcept
    : table_(std::move(other.table_)), held_(std::exchange(other.held_, {})) {}

HeldLabels &HeldLabels::operator=(HeldLabels &&other) noexcept {
    std::swap(table_, other.table_);
    std::swap(held_, other.held_);
    return *this;
}

Label HeldLabels::hold(std::string_view text) {
    if (const auto number = canonical_number(text)) {
        return numeric_label(*number);
    }
    LabelTable::Content &table = table_->content();
    const std::uint64_t hash = table.hash(text);
    if (const auto number = table.find_interned(text, hash)) {
        return text_label(*number);
    }
    held_.reserve(std::bit_ceil(held_.size() + 1));
    const std::scoped_lock lock(table.mutex);
    if (const auto number = table.find_interned(text, hash)) {
        return text_label(*number);
    }
    held_.push_back(text_label(table.hold(text, hash)));
    return held_.back();
}

void HeldLabels::release() noexcept {
    if (held_.empty()) {
        return;
    }
    LabelTable::Content &table = *table_->content_.load(std::memory_order_acquire);
    const std::scoped_lock lock(table.mutex);
    for (const Label label : held_) {
        table.release(text_number(label));
    }
    held_.clear();
}

}  // namespace tenrex
