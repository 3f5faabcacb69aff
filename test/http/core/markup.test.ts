import { expect, test } from 'bun:test'
import { html, Markup } from '../../../src/http/core/markup.ts'

test('Values are escaped, and markup inside markup is not.', () => {
  expect(html`<a title="${'"<&>\''}">${html`<b>${1}</b>`}</a>`.text).toBe(
    '<a title="&quot;&lt;&amp;&gt;&#x27;"><b>1</b></a>',
  )
  expect(html`${new Markup('<i>')}x`.text).toBe('<i>x')
})

test('Lists are joined, and nothing is written for what is not there; zero and the empty text are.', () => {
  expect(html`[${[html`<b>`, '<', [0]]}]`.text).toBe('[<b>&lt;0]')
  expect(html`[${null}${undefined}${false}${''}${0}]`.text).toBe('[0]')
})
