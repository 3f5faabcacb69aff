import { createClient } from '@libsql/client'
import { systemClock } from '../../src/clock.ts'
import '../../src/store/driver.ts'
import { migrate } from '../../src/store/migrate.ts'

const [url, folder] = process.argv.slice(2)
const report = await migrate(createClient({ url: url!, timeout: 5000 }), folder!, systemClock)
process.stdout.write(JSON.stringify(report.applied))
