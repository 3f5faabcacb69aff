import { run } from './cli/run.ts'

// Threads and sockets that are still open must not keep a command alive that has done its work.
process.exit(await run(process.argv.slice(2)))
