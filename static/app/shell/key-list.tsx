import { useSignal } from '@preact/signals'
import { Switch } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { KeyRows } from '../ui/key-rows.tsx'
import { keysAreOn, switchKeys } from '../ui/keys.ts'
import { KEYS } from './keys.tsx'
import { NAVIGATION } from './navigation.ts'
import { closePanel } from './panels.ts'
import { place } from './place.ts'

/** The list of keys. */
export function KeyList() {
  const on = useSignal(keysAreOn())
  const ways = NAVIGATION[place().name].flatMap(({ entries }) => entries).filter(({ key }) => key !== undefined)
  return (
    <Dialog title="Keys" onClose={closePanel} actions={null}>
      <Switch
        label="Keys of one character"
        hint="Ctrl K and Esc always work."
        checked={on.value}
        onChange={(checked: boolean) => {
          switchKeys(checked)
          on.value = checked
        }}
      />
      <KeyRows rows={[...KEYS, ...ways.map(({ key, label }) => ({ keys: `g ${key}`, does: `Go to ${label}` }))]} />
    </Dialog>
  )
}
