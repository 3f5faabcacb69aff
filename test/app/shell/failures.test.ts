import { expect, test } from 'bun:test'
import { h } from 'preact'
import { tellFailures } from '../../../static/app/shell/failures.ts'
import { ToastRegion } from '../../../static/app/ui/toast.tsx'
import { useTab } from '../../support/tab.ts'

const tab = useTab()

test('An error that nothing on the page handles is shown, and one that is given up on purpose is not.', async () => {
  const page = document.createElement('div')
  tellFailures(page)
  await tab.draw(h('div', null, h(ToastRegion, null)))
  const fail = (type: string, what: object) =>
    tab.act(() => void page.dispatchEvent(Object.assign(new Event(type), what)))
  await fail('unhandledrejection', { reason: new DOMException('Left.', 'AbortError') })
  expect(tab.body.textContent).toBe('')
  await fail('error', { error: new TypeError('x is not a function') })
  expect(tab.body.textContent).toContain('Something on this page went wrong (x is not a function).')
})
