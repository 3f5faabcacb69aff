import { isSilent } from './faults.ts'
import { one } from './rows.ts'
import type { Store, Tx, WaitingMember } from './store.ts'

/** Runs one member or several; null for one that has to run alone, which is never the answer for a single member. */
type RunSet<Member, Result> = (tx: Tx, members: readonly Member[]) => Promise<readonly (Result | null)[]>

const MAX_MEMBERS = 64

/**
 * Runs a member of a set in a write. Members with the same key that wait at the moment when the write begins run as
 * one, because a statement for many costs little more than one for a single member. When such a write fails, its
 * members run again alone, so that none fails because of another. A member must be safe to run again after a commit
 * that was reported as failed.
 */
export function writeInSet<Member, Result>(
  store: Pick<Store, 'write' | 'sets'>,
  key: string,
  member: Member,
  run: RunSet<Member, Result>,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const waiting = { member, resolve: resolve as (result: unknown) => void, reject }
    const open = store.sets.get(key)
    if (open && open.length < MAX_MEMBERS) open.push(waiting)
    else void runSet(store, { key, set: [waiting] }, run as RunSet<unknown, unknown>)
  })
}

async function runSet(
  store: Pick<Store, 'write' | 'sets'>,
  { key, set }: { key: string; set: WaitingMember[] },
  run: RunSet<unknown, unknown>,
): Promise<void> {
  const close = () => {
    if (store.sets.get(key) === set) store.sets.delete(key)
  }
  const alone = ({ member, resolve, reject }: WaitingMember) =>
    void store.write(async (tx) => one(await run(tx, [member]))).then(resolve, reject)
  store.sets.set(key, set)
  try {
    const results = await store.write((tx) => {
      close()
      return run(
        tx,
        set.map(({ member }) => member),
      )
    })
    for (const [index, waiting] of set.entries()) {
      const result = results[index] ?? null
      if (result === null) alone(waiting)
      else waiting.resolve(result)
    }
  } catch (error) {
    close()
    // A server that does not answer may have committed.
    if (set.length > 1 && !isSilent(error)) set.forEach(alone)
    else for (const { reject } of set) reject(error)
  }
}
