import { letterName } from '../../api/letter-name.ts'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useMutation } from '../../api/action.ts'
import type { ReadinessCheck, Settings } from '../../api/operations.d.ts'
import { useRead } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { HOME_CONNECTIONS } from '../home/home-requests.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { count, dateTime } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { PageWaiting } from '../../ui/page-waiting.tsx'
import { AudienceCard } from './audience-card.tsx'
import { useAudienceCount } from './audience-count.ts'
import { campaignHref, isEditable } from './campaign-links.ts'
import { ChecksCard, useReadiness } from './checks-card.tsx'
import { LetterCard } from './letter-card.tsx'
import { SendDialog } from './send-dialog.tsx'
import { SenderCard } from './sender-card.tsx'
import { type CampaignOfPage, useCampaign } from './use-campaign.ts'
import { useOnlyList } from './only-list.ts'
import { howLong } from './how-long.ts'
import { flawOf, type When, WhenCard } from './when-card.tsx'

/** The review of a campaign before it is sent: audience, sender, checks and time. */
export default function Review({ params }: PageProps) {
  const { campaign, error, reload, saving } = useCampaign(Number(params.id))
  const settings = useRead('settings/get', {})
  const refusal = campaign ? (settings.data ? null : settings.error) : error
  const again = campaign ? settings.reload : reload
  if (refusal || !campaign || !settings.data)
    return <PageWaiting title="Review" error={refusal} failure="The campaign could not be loaded." retry={again} />
  if (!isEditable(campaign.status) && campaign.status !== 'scheduled') return <UnderWay campaign={campaign} />
  return <ReviewOf campaign={campaign} settings={settings.data.settings} saving={saving} />
}

interface Props {
  campaign: CampaignOfPage
  settings: Settings
  saving: ReturnType<typeof useCampaign>['saving']
}

function ReviewOf({ campaign, settings, saving }: Props) {
  const { route } = useLocation()
  const connections = useRead('connections/list', HOME_CONNECTIONS).data?.items
  const { offered, refuse } = useOnlyList(campaign)
  const audience = offered ?? campaign.audience_spec
  const counted = useAudienceCount(audience)
  const readiness = useReadiness(campaign.id)
  const [isAsking, setAsking] = useState(false)
  const [when, setWhen] = useState<When>({
    kind: campaign.scheduled_at === null ? 'now' : 'at',
    at: campaign.scheduled_at,
    zone: campaign.timezone ?? settings.timezone,
  })
  const unschedule = useMutation('campaigns/unschedule', { invalidates: ['campaigns/', 'overview'] })
  const connection_id = campaign.connection_id ?? settings.default_connection_id
  const connection = connections?.find(({ id }) => id === connection_id) ?? null
  const people = audience.include.length === 0 ? 0 : (counted.data?.count ?? null)
  const failed = readiness.data?.checks.find(
    ({ code, ok, severity }) => !ok && severity === 'error' && !(offered && code === 'audience'),
  )
  const time = flawOf(when) ?? (when.kind === 'at' && when.at === null ? 'Choose a date and time.' : null)
  const first = failed ? firstOf(failed.code, connection !== null) : time !== null ? 'Choose a time first' : null
  const isScheduled = campaign.status === 'scheduled'
  /** Asks for confirmation before sending. Suggestions that the page applied are stored first. */
  const ask = async () => {
    if (offered === null || (await saving.run({ audience_spec: offered }))) setAsking(true)
  }
  const words = people === null ? 'people' : count(people, 'person', 'people')
  return (
    <div class="review">
      <PageHead
        title={letterName(campaign)}
        lead={isScheduled ? undefined : 'The last look before it leaves.'}
        back={{
          href: link(isScheduled ? '/campaigns' : `/campaigns/${campaign.id}/edit`),
          label: isScheduled ? 'Campaigns' : 'The letter',
        }}
      />
      <FlawSummary title={saving.error?.code === 'CONFLICT' ? CROSSED : undefined} error={saving.error} />
      {campaign.status === 'draft' && campaign.failure && <Callout tone="wait" title={campaign.failure.reason} />}
      {isScheduled && (
        <Callout
          tone="accent"
          title={`It leaves on ${dateTime(campaign.scheduled_at!, campaign.timezone!)} (${campaign.timezone}).`}
          actions={
            can('editor') && (
              <Button busy={unschedule.busy} onClick={() => void unschedule.run({ campaign_id: campaign.id })}>
                Make it a draft again
              </Button>
            )
          }
        >
          <p>People are counted again when it begins.</p>
        </Callout>
      )}
      <AudienceCard
        audience={audience}
        onChange={(audience_spec) => {
          refuse()
          void saving.run({ audience_spec })
        }}
      />
      <SenderCard
        campaign={campaign}
        busy={saving.busy}
        error={saving.error}
        onSave={(changes) => void saving.run(changes)}
      />
      <ChecksCard
        without={offered ? 'audience' : undefined}
        campaign={campaign}
        settings={settings}
        connection={connection}
      />
      <WhenCard when={when} onChange={setWhen} people={people} connection={connection} />
      <LetterCard campaign={campaign} />
      <div class="review-bar">
        <p>
          <strong>{letterName(campaign)}</strong> · {words} ·{' '}
          {when.kind === 'now' ? 'now' : when.at === null ? 'at a time' : dateTime(when.at, when.zone)}
        </p>
        {can('editor') ? (
          <Button
            kind="primary"
            main
            busy={people === null || !readiness.data || saving.busy}
            disabled_reason={failed?.message ?? time}
            onClick={() => void ask()}
          >
            {first ?? (when.kind === 'now' ? `Send to ${words}` : `Schedule for ${words}`)}
          </Button>
        ) : (
          <p class="quiet">{whoMay('Sending', 'editor')}</p>
        )}
      </div>
      {isAsking && people !== null && (
        <SendDialog
          campaign={campaign}
          seen={people}
          when={when}
          from={fromWords(campaign, settings, connection?.name)}
          how_long={connection && when.kind === 'now' ? howLong(people, connection) : null}
          onClose={() => setAsking(false)}
          onSent={() =>
            route(
              link(when.kind === 'now' ? `/campaigns/${campaign.id}` : '/campaigns', {
                sent: when.kind === 'now' ? 'now' : null,
              }),
            )
          }
        />
      )}
    </div>
  )
}

/** The next task when nothing can be sent yet, in place of the button to send. */
const FIRST: Readonly<Partial<Record<ReadinessCheck['code'], string>>> = {
  subject: 'Write a subject first',
  content: 'Write the letter first',
  sender: 'Say who writes first',
  connection_verified: 'Test the connection first',
  postal_address: 'Set the postal address first',
  audience: 'Choose people first',
  plan_limit: 'Too many people for this month',
  provider_limit: 'Too many people for a day',
}

function firstOf(code: ReadinessCheck['code'], hasConnection: boolean): string {
  if (code === 'connection_verified' && !hasConnection) return 'Choose a connection first'
  return FIRST[code] ?? 'Mend the letter first'
}

const CROSSED = 'Somebody else has changed this campaign. Reload the page to go on with the newest.'

function fromWords(
  { from_name, from_email }: CampaignOfPage,
  settings: Settings,
  connection: string | undefined,
): string {
  const name = from_name || settings.from_name
  const address = from_email || settings.from_email
  return `${name} <${address}>${connection === undefined ? '' : `, through ${connection}`}`
}

function UnderWay({ campaign }: { campaign: CampaignOfPage }) {
  return (
    <>
      <PageHead title={letterName(campaign)} back={{ href: link('/campaigns'), label: 'Campaigns' }} />
      <Callout
        tone="accent"
        title="This campaign has begun."
        actions={<Button href={campaignHref(campaign)}>Show it</Button>}
      >
        <p>What has left cannot be changed.</p>
      </Callout>
    </>
  )
}
