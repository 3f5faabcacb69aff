import { startFastSink } from '../test/support/fast-sink.ts'

/** The sink in a process of its own, so that its work is not counted as ours; prints its port. */
process.stdout.write(`${startFastSink().port}\n`)
