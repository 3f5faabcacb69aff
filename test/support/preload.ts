import { afterAll } from 'bun:test'
import { buildApp } from '../../bin/build-app.ts'
import { closeWorlds } from './world.ts'

// A test file that forgot to close its world would keep the runner alive.
afterAll(() => closeWorlds())

// The service answers with the files of the web application, which are built from their sources.
await buildApp()
