import { HOUR_MS } from '../../clock.ts'
import { addressBlock } from '../../access/address.ts'
import { AppError } from '../../errors.ts'
import { countedAlone, type SharedCounts } from '../../shared-counts.ts'

/** Limits for unfinished bodies of callers that are not yet known, and of callers whose credentials were accepted. */
interface UploadShare {
  /** Bytes that all unfinished bodies of these callers hold in the process. */
  process_bytes: number
  /** Bytes that those from one client address hold; an IPv6 address counts by its /64. */
  address_bytes: number
  /** Bodies of one client address that may take longer than the grace time. */
  address_slow: number
  /** Least average since the body began, checked after the grace time. */
  bytes_per_second: number
  /** A body ends when nothing arrives for this long. */
  stalled_ms: number
  /** A body ends after this time in any case. */
  longest_ms: number
}

export interface UploadLimits {
  /** Time between two checks of open bodies. */
  check_ms: number
  /** A body that is open for longer is slow. */
  grace_ms: number
  /** Bun closes a connection without a response after this time. A slow body is exempt while it is read. */
  idle_seconds: number
  anonymous: UploadShare
  known: UploadShare
}

const MIB = 1024 * 1024

/** docs/api/limits.md#unfinished-bodies */
export const UPLOAD_LIMITS: UploadLimits = {
  check_ms: 1_000,
  grace_ms: 5_000,
  idle_seconds: 30,
  anonymous: {
    process_bytes: 64 * MIB,
    address_bytes: 16 * MIB,
    address_slow: 8,
    bytes_per_second: 1024,
    stalled_ms: 10_000,
    longest_ms: 120_000,
  },
  known: {
    process_bytes: 256 * MIB,
    address_bytes: 128 * MIB,
    address_slow: 64,
    bytes_per_second: 0,
    stalled_ms: 30_000,
    longest_ms: HOUR_MS,
  },
}

export type Sender = 'anonymous' | 'known'

/** One body that is being read. */
export interface Upload {
  /** Counts bytes that arrived. Throws TOO_MANY_UPLOADS when they exceed a budget. */
  add(bytes: number): void
  /** Returns what the body holds to its budgets. */
  end(): void
}

interface UploadOptions {
  address: string
  sender: Sender
  /** Stops or restores the connection's idle timeout, in seconds; 0 stops it. */
  setTimeout(seconds: number): void
  /** Ends the body with this refusal. Called at most once. */
  refuse(error: AppError): void
}

/** The budgets of memory and time for bodies that have not fully arrived. */
export interface Uploads {
  limits: UploadLimits
  begin(options: UploadOptions): Upload
  /** Refuses stalled and overdue bodies. Runs by itself while bodies are open. */
  check(): void
}

interface Open extends UploadOptions {
  group: string
  began_at: number
  last_at: number
  bytes: number
  slow: boolean
  refused: boolean
}

export function createUploads(
  limits: UploadLimits = UPLOAD_LIMITS,
  now: () => number = () => performance.now(),
  counts: SharedCounts = countedAlone,
): Uploads {
  const open = new Set<Open>()
  const held = { anonymous: new Map<string, number>(), known: new Map<string, number>() }
  const total = { anonymous: 0, known: 0 }
  let timer: ReturnType<typeof setInterval> | null = null

  function hold({ sender, group }: Open, bytes: number): void {
    total[sender] += bytes
    const present = (held[sender].get(group) ?? 0) + bytes
    if (present === 0) held[sender].delete(group)
    else held[sender].set(group, present)
    counts.set(`${sender} bodies`, total[sender])
    counts.set(`${sender} bodies ${group}`, present)
  }

  function exceeds({ sender, group }: Open): boolean {
    const { process_bytes, address_bytes } = limits[sender]
    const all = total[sender] + counts.elsewhere(`${sender} bodies`)
    const own = held[sender].get(group)! + counts.elsewhere(`${sender} bodies ${group}`)
    return all > process_bytes || own > address_bytes
  }

  function refuse(upload: Open, error: AppError): void {
    upload.refused = true
    upload.refuse(error)
  }

  function check(): void {
    if (open.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    const at = now()
    const slow = Map.groupBy(
      [...open].filter((upload) => upload.slow),
      slowKey,
    )
    for (const upload of open) {
      if (upload.refused) continue
      const share = limits[upload.sender]
      const age_ms = at - upload.began_at
      if (!upload.slow && age_ms > limits.grace_ms) {
        const key = slowKey(upload)
        const others = slow.get(key) ?? []
        if (others.length + counts.elsewhere(key) >= share.address_slow) {
          refuse(upload, tooSlow('Too many slow uploads come from this address.'))
          continue
        }
        upload.slow = true
        slow.set(key, [...others, upload])
        counts.set(key, others.length + 1)
        upload.setTimeout(0)
      }
      const isSteady = age_ms <= limits.grace_ms || (upload.bytes * 1000) / age_ms >= share.bytes_per_second
      if (at - upload.last_at > share.stalled_ms || age_ms > share.longest_ms || !isSteady)
        refuse(upload, tooSlow('The body arrives too slowly.'))
    }
  }

  return {
    limits,
    check,
    begin(options) {
      const at = now()
      const upload: Open = {
        ...options,
        group: addressBlock(options.address),
        began_at: at,
        last_at: at,
        bytes: 0,
        slow: false,
        refused: false,
      }
      open.add(upload)
      timer ??= setInterval(check, limits.check_ms).unref()
      return {
        add(bytes) {
          upload.last_at = now()
          upload.bytes += bytes
          hold(upload, bytes)
          if (exceeds(upload))
            throw new AppError('TOO_MANY_UPLOADS', 'Too many bodies are being received. Try again.', {
              headers: { Connection: 'close', 'Retry-After': '5' },
            })
        },
        end() {
          if (!open.delete(upload)) return
          hold(upload, -upload.bytes)
          if (!upload.slow) return
          upload.setTimeout(limits.idle_seconds)
          const key = slowKey(upload)
          counts.set(key, [...open].filter((other) => other.slow && slowKey(other) === key).length)
        },
      }
    },
  }
}

function slowKey({ sender, group }: Open): string {
  return `slow ${sender} bodies ${group}`
}

function tooSlow(message: string): AppError {
  return new AppError('REQUEST_TIMEOUT', message, { headers: { Connection: 'close' } })
}
