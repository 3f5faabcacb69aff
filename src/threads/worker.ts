import { dataFolder } from '../instance.ts'
import { takeComparedNativeModule } from '../store/native-module.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts'
import { errorText } from './questions.ts'

/**
 * The second entry point: a thread that runs the loops or long reads, or answers requests. The first message says
 * which. The code of each is loaded then, because a thread for reads starts when a caller waits for it. The thread of
 * the loops loads its code earlier.
 */
declare const self: Worker

const tell = (message: FromWorker) => self.postMessage(message)

/** Waits for the setup, also after the thread stopped and is used again. */
const awaitSetup = (message: ToWorker): void => {
  // What fails is reported when the loops begin.
  if ('load' in message) return void loadLoops().catch(() => undefined)
  if (!('setup' in message)) return
  const waiting: ToWorker[] = []
  handle = (early) => waiting.push(early)
  begin(message.setup).then(
    (ready) => {
      handle = ready
      tell({ ready: true })
      waiting.forEach(ready)
    },
    (error: unknown) => tell({ failed: errorText(error) }),
  )
}

let handle = awaitSetup
self.onmessage = (event: MessageEvent<ToWorker>) => handle(event.data)

const loadLoops = () => import('./loop-thread.ts')

async function begin(setup: WorkerSetup): Promise<(message: ToWorker) => void> {
  dataFolder(setup.config) // sets the folder of the native database module
  takeComparedNativeModule(setup.native_module)
  const main = { tell, onStop: () => void (handle = awaitSetup) }
  if (setup.part === 'loops') return (await loadLoops()).runLoops(setup, main)
  if (setup.part === 'answers') return (await import('./answering-thread.ts')).answerRequests(setup, main)
  return (await import('./reading-thread.ts')).answerReads(setup, main)
}
