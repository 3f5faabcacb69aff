import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'

const APP = join(import.meta.dir, '../../../static/app')

test('Wherever something could not be loaded, it can be asked for again.', () => {
  const notes = [...new Bun.Glob('**/*.tsx').scanSync({ cwd: APP })].flatMap((file) =>
    [...readFileSync(join(APP, file), 'utf8').matchAll(/<ErrorNote\b[^]*?\/>/g)].map(([note]) => ({ file, note })),
  )
  const of_loading = notes.filter(({ note }) => note.includes('could not be loaded'))
  expect(of_loading.length).toBeGreaterThan(40)
  expect(of_loading.filter(({ note }) => !/\bretry=/.test(note))).toEqual([])
})
