import { run } from './cli/run.ts'

// Databases, backups, keys and modules are readable by their owner only, whatever the mode of their folder.
process.umask(0o077)

// Threads and sockets that are still open must not keep a command alive that has done its work.
process.exit(await run(process.argv.slice(2)))
