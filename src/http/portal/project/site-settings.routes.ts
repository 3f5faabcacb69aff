import { type TString, Type } from '@sinclair/typebox'
import { translationsFor } from '../../../i18n/languages.ts'
import { connectedScripts } from '../../../scripts/connections.ts'
import { line, obj } from '../../../schema.ts'
import { consentPreview } from '../../../sites/visitor-consent.ts'
import { waitingScripts } from '../../../sites/insertions.ts'
import { getSiteSettings, projectLook, updateSiteSettings } from '../../../sites/settings.ts'
import { CONSENT_WORDS } from '../../../store/tables/sites.ts'
import { route } from '../../core/route.ts'
import { optional } from '../../core/schemas.ts'

type WordSchemas = Record<(typeof CONSENT_WORDS)[number], ReturnType<typeof line>>
const SiteSettings = obj({
  consent_banner: Type.Boolean(),
  consent_message: line(500),
  consent_accept: line(40),
  consent_decline: line(40),
  consent_privacy_url: Type.String({
    pattern: '^(|https?://[^\\s"<>]{1,1990}|/[^\\s"<>]{0,1990})$',
    description: 'The address, or the path on the site, that the banner links to. Empty for none.',
  }),
  consent_words: obj(optional(Object.fromEntries(CONSENT_WORDS.map((word) => [word, line(200)])) as WordSchemas), {
    description: 'Further texts of the banner. One that is left out or empty is the product’s.',
  }),
  proof_of_work: Type.Boolean({ description: 'Signups and form entries need a proof of work.' }),
})
const USUAL = ['label', 'question', 'accept', 'decline', ...CONSENT_WORDS] as const
const UsualTexts = obj(
  Object.fromEntries(USUAL.map((name) => [name, Type.String()])) as Record<(typeof USUAL)[number], TString>,
  { description: 'What the banner says in the language of the project, where a text is left out or empty.' },
)

/** `/project/site-settings/…` (docs/api/scripts.md#visitor-consent, docs/api/sites.md#proof-of-work). */
export const siteSettingsRoutes = [
  route({
    method: 'POST',
    path: '/project/site-settings/get',
    summary: 'How the pages ask for consent, and whether forms need a proof of work.',
    auth: 'session',
    role: 'member',
    response: obj({ settings: SiteSettings, usual_texts: UsualTexts }),
    async read(_, { db, project_id }) {
      const [settings, { locale }] = await Promise.all([getSiteSettings(db, project_id), projectLook(db, project_id)])
      return { settings, usual_texts: translationsFor(locale).consent }
    },
  }),

  route({
    method: 'POST',
    path: '/project/site-settings/update',
    summary: 'Changes how the pages ask for consent, and whether forms need a proof of work.',
    auth: 'session',
    role: 'administrator',
    audit: { target: 'project', changes: true },
    body: obj(optional(SiteSettings.properties)),
    response: obj({ settings: SiteSettings }),
    write: async (changes, { tx, project_id, now }) => ({
      settings: await updateSiteSettings(tx, project_id, changes, now),
    }),
  }),

  route({
    method: 'POST',
    path: '/project/site-settings/preview',
    summary: 'Shows the consent banner, and the button that opens it again, with settings that are not saved.',
    auth: 'session',
    role: 'member',
    body: obj(optional(SiteSettings.properties)),
    response: obj({ html: Type.String() }),
    async read(changes, { db, project_id }) {
      const [kept, scripts, look] = await Promise.all([
        getSiteSettings(db, project_id),
        connectedScripts(db, project_id),
        projectLook(db, project_id),
      ])
      return { html: consentPreview({ ...kept, ...changes }, { scripts: waitingScripts(scripts), look }) }
    },
  }),
]
