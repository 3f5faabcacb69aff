import { afterAll, mock } from 'bun:test'
import process from 'node:process'
import { buildApp } from '../../bin/build-app.ts'
import { proveAnswers } from './documented-answers.ts'
import { closeWorlds } from './world.ts'

// Pages show times in the zone of their reader, which is the same on every machine.
process.env.TZ = 'Etc/UTC'

// Elysia collects garbage when a service starts, and imports do after each page. That takes a tenth of a second in a
// process that holds the code of hundreds of test files, and starts hundreds of services.
Object.assign(Bun, { gc: () => 0 })
void mock.module('../../src/newsletter/imports/collect.ts', () => ({ collectAfterPart() {}, collectAfterPage() {} }))

proveAnswers()

// A test file that forgot to close its world would keep the runner alive.
afterAll(() => closeWorlds())

// The service answers with the files of the web application, which are built from their sources.
await buildApp()
