import { expect, test } from 'bun:test'
import { AppError } from '../../../src/errors.ts'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail } from '../../../src/newsletter/email/render.ts'
import { cpuOf } from '../../support/cpu-time.ts'
import { type Shape, shapes } from '../../support/hostile-shapes.ts'

/** A text four times as long costs about four times as much; a quadratic scan costs sixteen times as much. */
const FACTOR = 6
/** Less than any quadratic shape costs at the full length, and more than one collection of garbage. */
const SLACK_MS = 60

/** Refusing a document counts as well. */
const render = (html: string): void => {
  try {
    compile(html)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

const compile = (html: string): void => {
  const document = { version: 1, settings: {}, blocks: [{ id: 'a', type: 'html', props: { html } }] }
  compileEmail({
    document: checkDocument(document, ''),
    subject: 'Tides',
    custom_fields: [],
    brand: {
      project_name: 'Harbour',
      company_name: 'Harbour Ltd',
      postal_address: '12 Harbour Lane',
      footer_text: null,
      brand_color: '#1f4e79',
      logo_url: null,
    },
  })
}

const LENGTH = 140_000
/** A document with more tags is refused. */
const MAX_TAGS = 19_900

const longest = (shape: Shape): number => {
  const tags = shape(1000).split('<').length - 1
  return 4 * Math.floor(Math.min(LENGTH, (MAX_TAGS * 1000) / (tags + 1)) / 4)
}

test.each(Object.entries(shapes))('Rendering %s takes time in proportion to the length.', (_, shape) => {
  const length = longest(shape)
  const [short, long] = [shape(length / 4), shape(length)]
  render(short)
  const limit = FACTOR * cpuOf(() => render(short)) + SLACK_MS
  const first = cpuOf(() => render(long))
  // The first run of a path may include its compilation.
  expect(first < limit ? first : cpuOf(() => render(long))).toBeLessThan(limit)
})
