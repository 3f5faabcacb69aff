import type { ComponentType } from 'preact'
import type { PageProps } from './page-props.ts'
import { AUDIENCE_LOADERS } from './site/audience-loaders.ts'
import { PROJECT_LOADERS } from './site/project-loaders.ts'
import { CONTENT_LOADERS } from './site/site-loaders.ts'

type Load = () => Promise<{ default: ComponentType<PageProps> }>

/** The code of each page, by the source path in the list of pages. */
export const LOADERS: Readonly<Record<string, Load>> = {
  'site/campaigns/campaigns': () => import('./site/campaigns/campaigns.tsx'),
  'site/campaigns/new-campaign': () => import('./site/campaigns/new-campaign.tsx'),
  'site/campaigns/review': () => import('./site/campaigns/review.tsx'),
  'site/report/report': () => import('./site/report/report.tsx'),
  'site/home/home': () => import('./site/home/home.tsx'),
  ...AUDIENCE_LOADERS,
  ...PROJECT_LOADERS,
  ...CONTENT_LOADERS,
  'letter/campaign-letter': () => import('./letter/campaign-letter.tsx'),
  'letter/template-letter': () => import('./letter/template-letter.tsx'),
  'site/sending/connection': () => import('./site/sending/connection.tsx'),
  'site/sending/new-connection': () => import('./site/sending/new-connection.tsx'),
  'site/sending/sender': () => import('./site/sending/sender.tsx'),
  'site/sending/sending': () => import('./site/sending/sending.tsx'),
  'import/import': () => import('./import/import.tsx'),
  'import/imports': () => import('./import/imports.tsx'),
  'import/new-import': () => import('./import/new-import.tsx'),
  'site/templates/templates': () => import('./site/templates/templates.tsx'),
  'site/sending/health': () => import('./site/sending/health.tsx'),
  'account/account': () => import('./account/account.tsx'),
  'account/apps': () => import('./account/apps.tsx'),
  'account/security': () => import('./account/security.tsx'),
  'account/sessions': () => import('./account/sessions.tsx'),
  'operator/apps': () => import('./operator/apps.tsx'),
  'operator/health': () => import('./operator/health.tsx'),
  'operator/people': () => import('./operator/people.tsx'),
  'operator/projects': () => import('./operator/projects.tsx'),
  'operator/review': () => import('./operator/review.tsx'),
  'operator/reviews': () => import('./operator/reviews.tsx'),
  'operator/service': () => import('./operator/service.tsx'),
  'developer/api': () => import('./developer/api.tsx'),
  'developer/app': () => import('./developer/app.tsx'),
  'developer/apps': () => import('./developer/apps.tsx'),
  'developer/credentials': () => import('./developer/credentials.tsx'),
  'developer/listing': () => import('./developer/listing.tsx'),
  'developer/permissions': () => import('./developer/permissions.tsx'),
  'developer/requests': () => import('./developer/requests.tsx'),
  'developer/script': () => import('./developer/script.tsx'),
  'developer/scripts': () => import('./developer/scripts.tsx'),
  'developer/try': () => import('./developer/try.tsx'),
  'developer/team': () => import('./developer/team.tsx'),
  'developer/version': () => import('./developer/version.tsx'),
  'developer/versions': () => import('./developer/versions.tsx'),
}
