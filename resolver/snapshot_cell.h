// How readers see the newest immutable value without a lock. Internal.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace enablement {

// Each thread keeps the last few values it read, with their versions. A version is unique among all
// cells of a process, so one comparison tells whether a kept value is this cell's newest. Only
// after a publication does a reader take the mutex, to copy the pointer; nobody holds it longer
// than that.
//
// Memory order: publish() stores the version with release after the pointer was set under the
// mutex; read() loads it with acquire. A reader that sees a new version finds the new pointer, or a
// newer one, under the mutex; one that still sees the old version returns the old value, which was
// current when it asked. A thread that stops reading keeps the values it saw last alive.
template <typename T>
class SnapshotCell {
 public:
  explicit SnapshotCell(std::shared_ptr<const T> value) { publish(std::move(value)); }

  void publish(std::shared_ptr<const T> value) {
    static std::atomic<std::uint64_t> versions{0};
    const std::scoped_lock lock(mutex_);
    value_.swap(value);
    version_.store(++versions, std::memory_order_release);
  }

  // Valid until this thread reads a cell of this type again.
  [[nodiscard]] const T& read() const {
    thread_local Kept kept;
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    for (const Slot& slot : kept.slots)
      if (slot.version == version) return *slot.value;
    Slot& slot = kept.slots[kept.next++ % kept.slots.size()];
    const std::scoped_lock lock(mutex_);
    slot.value = value_;
    slot.version = version_.load(std::memory_order_relaxed);
    return *slot.value;
  }

 private:
  struct Slot {
    std::uint64_t version = 0;
    std::shared_ptr<const T> value;
  };
  // A few, for threads that ask several services in turn.
  struct Kept {
    std::array<Slot, 4> slots;
    std::size_t next = 0;
  };

  std::atomic<std::uint64_t> version_{0};
  // Apart from what readers touch, as is the reference count: values come from `new`.
  alignas(64) mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace enablement
