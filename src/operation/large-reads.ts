import { setImmediate } from 'node:timers/promises'
import type { Operation } from './declare.ts'

/** Characters of an answer that counts as large. */
const LARGE = 64 * 1024

/** Operations whose last answer was large: the best guess about the next one before it is read. */
const answeredLarge = new WeakSet<Operation>()

/**
 * Waits for the next turn of the event loop where a large answer is likely. Calls that arrive together would else run
 * at once, and memory would hold the rows of all of them before the first answer is sent. Other reads do not wait,
 * because a turn for each of them costs `contacts/list` with 50 contacts half as much CPU time again.
 */
export async function largeReadTurn(operation: Operation): Promise<void> {
  if (answeredLarge.has(operation)) await setImmediate()
}

/** Remembers how large an answer is. */
export function noteAnswer(operation: Operation, answer: string): void {
  if (answer.length >= LARGE) answeredLarge.add(operation)
  else answeredLarge.delete(operation)
}
