/** How much work of a kind runs at the same time, and how many may wait for their turn. */
interface TurnLimits {
  at_once: number
  /** Without it any number may wait. */
  max_waiting?: number
  /** How many of one owner may wait. */
  max_waiting_of_owner?: number
}

/** Limits that all threads of the process keep together, known by their name. */
export interface SharedTurns extends TurnLimits {
  name: string
}

/** Waits for a turn. Answers the function that ends it, or null when too many wait already. */
type Enter = (owner: string) => Promise<(() => void) | null>

/** Lets only so much work run at the same time, in the order of its arrival. */
export interface Turns {
  /**
   * Runs `work` when it is its turn. `refuse` makes the error that is thrown when too many wait already, of everybody
   * or of this owner.
   */
  take<T>(work: () => Promise<T>, refuse?: () => Error, owner?: string): Promise<T>
}

/** Turns that the work of this thread takes. */
export function createTurns(limits: TurnLimits): Turns {
  return turnsOf(createRoom(limits))
}

/** Turns that the work of all threads takes: the main thread gives them. */
export function sharedTurns(turns: SharedTurns): Turns {
  return turnsOf((owner) => (elsewhere ?? enterHere)(turns, owner))
}

type EnterShared = (turns: SharedTurns, owner: string) => ReturnType<Enter>

/** How a thread other than the main one waits for its turns. */
let elsewhere: EnterShared | null = null
const rooms = new Map<string, Enter>()

/** Has this thread ask another one for its shared turns; null gives them here. */
export function askForTurns(ask: EnterShared | null): void {
  elsewhere = ask
}

/** Waits for a shared turn that this thread gives. */
export const enterHere: EnterShared = (turns, owner) => {
  const room = rooms.get(turns.name) ?? createRoom(turns)
  rooms.set(turns.name, room)
  return room(owner)
}

function turnsOf(enter: Enter): Turns {
  return {
    async take(work, refuse = () => new Error('Too many wait.'), owner = '') {
      const end = await enter(owner)
      if (end === null) throw refuse()
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}

function createRoom({ at_once, max_waiting = Infinity, max_waiting_of_owner = Infinity }: TurnLimits): Enter {
  let running = 0
  const waiting: { owner: string; begin(): void }[] = []
  const end = (): void => {
    const next = waiting.shift()
    if (next) next.begin()
    else running--
  }
  return async (owner) => {
    if (running < at_once) running++
    else {
      const own = max_waiting_of_owner === Infinity ? 0 : waiting.filter((one) => one.owner === owner).length
      if (waiting.length >= max_waiting || own >= max_waiting_of_owner) return null
      await new Promise<void>((begin) => waiting.push({ owner, begin }))
    }
    return end
  }
}
