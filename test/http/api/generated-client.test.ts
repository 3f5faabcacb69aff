import { validate } from '@cfworker/json-schema'
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTypescript from 'openapi-typescript'
import { apiDocuments } from '../../../src/http/documents.ts'
import { schemasByReference } from '../../support/documented-answers.ts'

const documents = apiDocuments() as Record<'newsletter' | 'platform', any>

/** What a client of the generated types may write, and what its compiler must refuse. */
const USE = `
import type { paths as Newsletter } from './newsletter.ts'
import type { paths as Platform } from './platform.ts'

type Body<Call extends { requestBody?: { content: { 'application/json': unknown } } }> =
  NonNullable<Call['requestBody']>['content']['application/json']
type Tag = Newsletter['/tags/create']['post']
export const tag: Body<Tag> = { name: 'Regular' }
// @ts-expect-error
export const unnamed: Body<Tag> = { color: '#0b5a6e' }
export const idOf = (made: Tag['responses']['200']['content']['application/json']): number => made.data.tag.id
export const page: Body<Platform['/project/pages/create']['post']> = {
  project_id: 'prj_1', path: '/', title: 'Home', html: '<p>Hello</p>',
}
// @ts-expect-error
export const untitled: Body<Platform['/project/pages/create']['post']> = { project_id: 'prj_1', path: '/', html: '' }
`

test('Types that a generator makes of both documents compile strictly, and hold what clients may send.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-client-'))
  for (const [name, document] of Object.entries(documents))
    writeFileSync(join(folder, `${name}.ts`), await openapiTypescript(structuredClone(document)))
  writeFileSync(join(folder, 'use.ts'), USE)
  const tsc = join(import.meta.dir, '../../../node_modules/.bin/tsc')
  const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes']
  const modules = ['--module', 'preserve', '--allowImportingTsExtensions', '--types', '']
  const run = Bun.spawnSync([tsc, ...options, ...modules, join(folder, 'use.ts')], { cwd: folder })
  rmSync(folder, { recursive: true })
  expect([run.exitCode, run.stdout.toString()]).toEqual([0, ''])
})

test('Each example of a request or an answer fits its schema.', () => {
  const wrong: unknown[] = []
  for (const document of Object.values(documents)) {
    const { paths, components } = document
    const named = schemasByReference(document)
    const walk = (node: any, path: string): void => {
      if (node === null || typeof node !== 'object') return
      if ('schema' in node && 'example' in node) {
        const { valid, errors } = validate(node.example, node.schema, '2020-12', named)
        if (!valid) wrong.push([path, errors.at(-1), node.example])
      }
      for (const [key, value] of Object.entries(node)) if (key !== 'schema') walk(value, `${path} ${key}`)
    }
    walk(paths, '')
    walk(components.responses, '')
  }
  expect(wrong).toEqual([])
})
