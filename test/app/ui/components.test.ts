import { jest, setSystemTime, test } from 'bun:test'
import { type ComponentType, h } from 'preact'
import { changes, controlsOf, nameOf, useControl } from '../../support/app-tour.ts'
import { drawnOutline } from '../../support/drawn.ts'
import { createNamer, expectRecorded } from '../../support/recorded.ts'
import { useTab } from '../../support/tab.ts'
import * as controls from '../../../static/app/ui/kitchen/controls.tsx'
import * as data from '../../../static/app/ui/kitchen/data.tsx'
import * as feedback from '../../../static/app/ui/kitchen/feedback.tsx'
import * as pieces from '../../../static/app/ui/kitchen/pieces.tsx'
import { ToastRegion } from '../../../static/app/ui/toast.tsx'

const tab = useTab()
const { Buttons, Overlays, Words } = pieces
const SECTIONS = Object.entries({ ...controls, ...data, ...feedback, Buttons, Overlays, Words }) as [
  string,
  ComponentType,
][]

test.each(SECTIONS)(
  'The components of %s are drawn, and answer to their controls, as recorded.',
  async (name, Section) => {
    jest.useFakeTimers()
    setSystemTime(Date.UTC(2026, 4, 3, 12))
    tab.atEnd(() => void jest.useRealTimers())
    const named = createNamer()
    const lines = () => drawnOutline(tab.body, named)
    const draw = () => tab.draw(h('div', null, h(Section, null), h(ToastRegion, null)))
    await draw()
    const whole = lines()
    const out = [...whole, '']
    for (const control of new Set(controlsOf(tab).map(nameOf))) {
      await draw()
      const found = controlsOf(tab).find((one) => nameOf(one) === control)
      if (!found) continue
      await useControl(tab, found)
      await tab.pass(1_000)
      out.push(control, ...changes(whole, lines()).map((line) => `  ${line}`))
    }
    await tab.draw(h('div', null))
    expectRecorded(`app/components-${name.toLowerCase()}.txt`, out.join('\n'))
  },
)
