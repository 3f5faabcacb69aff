import { useSignal } from '@preact/signals'
import { chooseTheme, type Theme, theme } from '../theme.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { RadioCards, Switch } from '../ui/choice.tsx'
import { keysAreOn, switchKeys } from '../ui/keys.ts'
import { PageHead } from '../ui/page.tsx'
import { DeleteCard } from './delete-card.tsx'
import { AddressCard, NameCard } from './person-cards.tsx'

/** The pages of the account: the user's profile, security, sessions, and the apps that act for the user. */
export default function Account() {
  return (
    <>
      <PageHead title="Account" lead="What is yours, in every project." />
      <div class="project-settings">
        <NameCard />
        <AddressCard />
        <DeviceCard />
        <Card title="Your data">
          <div class="row row-apart">
            <p class="quiet">Everything that the service holds about you, as a JSON file.</p>
            <Button icon="download" href="/user/export" download="masthead-account.json">
              Export my data
            </Button>
          </div>
        </Card>
        <DeleteCard />
      </div>
    </>
  )
}

function DeviceCard() {
  const keys = useSignal(keysAreOn())
  return (
    <Card title="This browser">
      <div class="stack">
        <RadioCards<Theme>
          legend="Colors"
          beside
          value={theme.value}
          onChange={chooseTheme}
          options={[
            { value: 'system', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <Switch
          label="Keys of one letter"
          hint="Such as n for the page's main action. The key ? lists them. Keys with Control work always."
          checked={keys.value}
          onChange={(on) => {
            switchKeys(on)
            keys.value = on
          }}
        />
      </div>
    </Card>
  )
}
