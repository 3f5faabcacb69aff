import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Choices, Comboboxes, Fields, Times } from './kitchen/controls.tsx'
import { Charts, Lists, Numbers, Tables } from './kitchen/data.tsx'
import { Errors, Messages, Waiting } from './kitchen/feedback.tsx'
import { Buttons, Colors, Icons, Overlays, Words } from './kitchen/pieces.tsx'
import { PageHead } from './page.tsx'

const PARTS: [string, () => ComponentChildren][] = [
  ['Colors', Colors],
  ['Words', Words],
  ['Icons', Icons],
  ['Buttons', Buttons],
  ['Fields', Fields],
  ['Choices', Choices],
  ['Comboboxes', Comboboxes],
  ['Times', Times],
  ['Overlays', Overlays],
  ['Tables', Tables],
  ['Numbers', Numbers],
  ['Charts', Charts],
  ['Lists', Lists],
  ['Notices', Messages],
  ['Waiting', Waiting],
  ['Errors', Errors],
]

/** Every component in every state, for developers and for tests. */
export default function Kitchen() {
  return (
    <>
      <PageHead
        title="Kitchen"
        count={PARTS.length}
        lead="Every component in every state. Pages are built of nothing else."
        back={{ href: '/portal', label: 'Home' }}
        secondary={<Button>Export</Button>}
        primary={
          <Button kind="primary" icon="plus">
            New campaign
          </Button>
        }
      />
      <div class="stack stack-loose">
        {PARTS.map(([title, Part]) => (
          <section class="stack" key={title} aria-label={title}>
            <h2>{title}</h2>
            <Part />
          </section>
        ))}
      </div>
    </>
  )
}
