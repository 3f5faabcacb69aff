import { systemClock } from '../../src/clock.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/open.ts'

const [url, folder] = process.argv.slice(2)
const report = await migrate(await openStore({ url: url! }), folder!, systemClock)
process.stdout.write(JSON.stringify(report.applied))
