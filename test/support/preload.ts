import { afterAll } from 'bun:test'
import { closeWorlds } from './world.ts'

// A test file that forgot to close its world would keep the runner alive.
afterAll(() => closeWorlds())
