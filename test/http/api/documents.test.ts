import { validate } from '@cfworker/json-schema'
import { describe, expect, test } from 'bun:test'
import { apiDocuments } from '../../../src/http/documents.ts'
import { schemasByReference } from '../../support/documented-answers.ts'

/** What both OpenAPI documents promise of every call. */
const documents = apiDocuments() as Record<'newsletter' | 'platform', any>

describe.each(Object.entries(documents))('The document of the %s API', (_, document) => {
  const named = schemasByReference(document)
  const calls = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, call]) => ({ at: ['paths', path, method], call })),
  )

  /** The flaws of the examples of a body or an answer, and a flaw where there is none. */
  const flaws = (at: readonly string[], content: Record<string, any> = {}): string[] =>
    Object.entries(content).flatMap(([type, { schema, example, examples = {} }]) => {
      const values = example === undefined ? Object.values<any>(examples).map(({ value }) => value) : [example]
      if (values.length === 0) return [`${at.join(' ')} ${type}: no example`]
      return values.flatMap((value) =>
        validate(value, schema, '2020-12', named).errors.map(
          ({ instanceLocation, error }) => `${at.join(' ')} ${type}: ${instanceLocation} ${error}`,
        ),
      )
    })

  test('Every request and every answer has an example that fits its schema.', () => {
    const answers = (at: readonly string[], found: object) =>
      Object.entries<any>(found).flatMap(([name, { content }]) => flaws([...at, name], content))
    expect(calls.flatMap(({ at, call }) => flaws([...at, 'requestBody'], call.requestBody?.content))).toEqual([])
    expect(calls.flatMap(({ at, call }) => answers([...at, 'responses'], call.responses))).toEqual([])
    expect(answers(['components', 'responses'], document.components.responses)).toEqual([])
  })

  test('Every parameter and every property of a request or an answer has a description.', () => {
    const missing: string[] = []
    const walk = (node: any, at: string) => {
      if (node === null || typeof node !== 'object') return
      for (const [key, value] of Object.entries<any>(node)) {
        if (['example', 'examples', 'enum', 'const', 'default'].includes(key)) continue
        if (key === 'properties' && at !== '/paths')
          for (const [name, property] of Object.entries<any>(value))
            if (property.const === undefined && property.enum === undefined && !property.description)
              missing.push(`${at}/${name}`)
        walk(value, `${at}/${key}`)
      }
    }
    walk(document.paths, '')
    walk(document.components.schemas, '')
    walk(document.components.responses, '')
    for (const { at, call } of calls)
      for (const { name, description } of call.parameters) if (!description) missing.push(`${at.join(' ')} ${name}`)
    expect(missing).toEqual([])
  })
})
