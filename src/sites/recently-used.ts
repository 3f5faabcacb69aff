/** Values by key, as many as fit into `room`; what was not used for the longest time makes place. */
export class RecentlyUsed<T> {
  private readonly entries = new Map<string, { value: T; size: number }>()
  private used = 0

  constructor(private readonly room: number) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  /** A value that would take more than an eighth of the room is not kept. */
  set(key: string, value: T, size: number): void {
    const before = this.entries.get(key)
    if (before) {
      this.entries.delete(key)
      this.used -= before.size
    }
    if (size > this.room / 8) return
    this.entries.set(key, { value, size })
    this.used += size
    for (const [oldest, entry] of this.entries) {
      if (this.used <= this.room) return
      this.entries.delete(oldest)
      this.used -= entry.size
    }
  }
}
