import { startFastSink } from '../test/support/fast-sink.ts'

/** An SMTP sink in a process of its own, so that its work is not measured with ours. Prints its port. */
process.stdout.write(`${startFastSink().port}\n`)
