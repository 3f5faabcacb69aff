import {
  ageRecipients,
  databaseAddress,
  hostNames,
  issuerAddress,
  listenAddress,
  mailAddress,
  networks,
  oneOf,
  schedule,
  secretKey,
  secretKeys,
  senderAddress,
  type Setting,
  text,
  webAddress,
  whole,
  yesNo,
} from './setting-kinds.ts'

/** Every setting of the service, in the order of docs/configuration.md, which is made from it. */
export const SETTINGS = {
  host: text('127.0.0.1', 'Address to listen on.', { parse: listenAddress, placeholder: 'ADDRESS' }),
  port: whole(8787, 0, 65_535, 'Port to listen on. 0 picks a free port.'),
  base_url: text(
    '',
    'Public https address of the service, used in all links. Default: http://HOST:PORT, for tries on this machine.',
    {
      parse: webAddress,
      placeholder: 'URL',
    },
  ),
  hosts: text(
    '',
    'Further names and addresses of the service (separated by commas), for example the ones that a load balancer ' +
      'probes. Requests for other hosts get 421, except for loopback names and the domains of projects.',
    { parse: hostNames, placeholder: 'LIST' },
  ),
  data_dir: text('./data', 'Folder of the database file and the secret key.', { placeholder: 'DIR' }),
  database_url: text(
    '',
    'file:PATH, or libsql://, http:// or https:// for a libSQL server. Default: a file in the data folder.',
    { parse: databaseAddress, placeholder: 'URL' },
  ),
  database_auth_token: text('', 'Token for the libSQL server.', { secret: true }),
  secret_key: text(
    '',
    'Key that encrypts stored credentials and signs links. Default: generated and stored in the data folder.',
    { secret: true, parse: secretKey },
  ),
  secret_key_previous: text(
    '',
    'Earlier values of the secret key, separated by commas. They decrypt and verify, but do not encrypt or sign.',
    { secret: true, parse: secretKeys, placeholder: 'LIST' },
  ),
  role: oneOf(
    ['all', 'web', 'worker'],
    'all',
    'What this process does. web: answer requests. worker: run background loops and answer only /healthz, /readyz ' +
      'and /metrics. all: both.',
  ),
  http_threads: whole(0, 0, 64, 'Threads that answer requests. 0: one for each processor, at most 8.'),
  trusted_proxies: text(
    '',
    'Reverse proxies (addresses or networks, separated by commas) whose X-Forwarded-For and -Host are trusted.',
    {
      parse: networks,
      placeholder: 'LIST',
    },
  ),
  newsletter_reads_per_minute: whole(600, 1, 1_000_000_000, 'Newsletter reads per minute and project.'),
  newsletter_mutations_per_minute: whole(120, 1, 1_000_000_000, 'Newsletter mutations per minute and project.'),
  platform_requests_per_minute: whole(
    600,
    1,
    1_000_000_000,
    'Requests to all other routes per minute: of an app in a project, or of a session.',
  ),
  contacts_per_project: whole(5_000_000, 0, 1_000_000_000, 'Contacts of a project without a limit of its own.'),
  form_entries_per_project: whole(50_000, 1, 1_000_000_000, 'Form entries that a project may hold.'),
  files_per_project: whole(2000, 1, 1_000_000_000, 'Uploaded pictures that a project may hold.'),
  min_free_disk_megabytes: whole(
    200,
    0,
    1_000_000_000,
    'Free disk space in MiB, below which signups, form entries and uploads are refused, as below 5 %. 0: never.',
  ),
  disk_reserve_megabytes: whole(
    64,
    0,
    100_000,
    'MiB that a file beside the database keeps free. It is removed when the disk is full, for opt-outs, reports of ' +
      'bounces and outcomes of messages. 0: none.',
  ),
  projects_per_user: whole(20, 0, 1_000_000_000, 'Projects that one user may own.'),
  invitations_per_day: whole(
    20,
    1,
    1_000_000,
    'Invitations that a user may send in 24 hours in the first week of the account. Later five times, and after 30 ' +
      'days 25 times as many.',
  ),
  logins_per_minute: whole(
    20,
    1,
    1_000_000_000,
    'Login attempts per minute and client address. One account gets half of it.',
  ),
  sign_up: oneOf(
    ['closed', 'invited', 'open'],
    'invited',
    'Who can make an account. closed: people whom an operator invites. invited: also people who are invited to a ' +
      'project or to the team of an app. open: everybody who has an email address.',
  ),
  sign_in_notices: yesNo(true, 'Tell people by mail when their account is signed in to from a new device.'),
  oauth_requests_per_minute: whole(600, 1, 1_000_000_000, 'Requests to the OAuth endpoints per minute and client.'),
  public_requests_per_minute: whole(60, 1, 1_000_000_000, 'Signups and form entries per minute and client address.'),
  mail_reports_per_minute: whole(
    3000,
    1,
    1_000_000_000,
    'Messages per minute that the mime webhook of a connection takes. Beyond them it answers 429.',
  ),
  access_token_ttl_seconds: whole(3600, 1, 31_536_000, 'Lifetime of an OAuth access token in seconds.'),
  refresh_token_idle_days: whole(90, 1, 36_500, 'Days after which an unused OAuth refresh token ends.'),
  refresh_token_longest_days: whole(
    365,
    1,
    36_500,
    'Days after which the OAuth refresh tokens of an authorization end, however much they are used.',
  ),
  session_ttl_hours: whole(336, 1, 8760, 'Lifetime of an unused session in hours.'),
  session_longest_days: whole(90, 1, 3650, 'Days after which a session ends, however much it is used.'),
  relay_silence_seconds: whole(
    60,
    1,
    600,
    'Seconds that a relay may be silent; a message whose final dot has no answer by then is in doubt. A whole ' +
      'message may take five times as long.',
  ),
  facts_days: whole(
    90,
    1,
    36_500,
    'Days for which facts are kept. After a restore of an older backup people have to decide what is repeated.',
  ),
  backup_dir: text(
    '',
    'Folder for backups that the service makes and proves by itself, best on another disk or machine. Without a ' +
      'folder and a bucket none are made by itself, and those of operators go to backups/ in the data folder.',
    { placeholder: 'DIR' },
  ),
  backup_s3_bucket: text(
    '',
    'Bucket of S3, or of a service that speaks its protocol, for backups in place of a folder.',
    {
      placeholder: 'NAME',
    },
  ),
  backup_s3_endpoint: text('', 'Address of the service of the bucket. Default: that of Amazon in the region.', {
    parse: webAddress,
    placeholder: 'URL',
  }),
  backup_s3_region: text('us-east-1', 'Region of the bucket.'),
  backup_s3_key: text('', 'Access key of the bucket.', { secret: true }),
  backup_s3_secret: text('', 'Secret of the access key.', { secret: true }),
  backup_s3_prefix: text('', 'Beginning of the names in the bucket. Each service needs one of its own.'),
  backup_recipients: text(
    '',
    'Public keys of age (separated by commas) that backups are encrypted to. Keep the private one elsewhere: a ' +
      'restore needs it.',
    { parse: ageRecipients, placeholder: 'LIST' },
  ),
  backup_schedule: text('12 3 * * *', 'When backups are made: minute, hour, day, month and day of the week.', {
    parse: schedule,
    placeholder: 'PATTERN',
  }),
  backup_keep_daily: whole(7, 1, 10_000, 'Days of which the last backup is kept. All of the last 24 hours are, too.'),
  backup_keep_weekly: whole(4, 0, 10_000, 'Weeks of which the last backup is kept.'),
  backup_keep_monthly: whole(12, 0, 10_000, 'Months of which the last backup is kept.'),
  metrics_token: text('', 'Bearer token that gives other machines access to /metrics.', { secret: true }),
  sandbox: yesNo(
    false,
    'Store messages of sandbox connections and of the service itself in a mailbox that anyone can read.',
  ),
  allow_private_relays: yesNo(true, 'Allow SMTP relays on this machine and in private networks.'),
  mail_url: text(
    '',
    "SMTP relay for the service's own messages (password resets, invitations). smtps:// uses TLS (465). smtp:// " +
      'requires STARTTLS (587), except on this machine (25). ?secure=none, starttls or tls overrides this.',
    { secret: true, parse: mailAddress, placeholder: 'URL' },
  ),
  mail_from: text('', "Sender of the service's own messages. Default: masthead@HOST of the public address.", {
    parse: senderAddress,
    placeholder: 'EMAIL',
  }),
  oidc_issuer: text(
    '',
    'Issuer of the OpenID Connect provider to sign in with, exactly as the provider spells it. Register the redirect ' +
      'address BASE_URL/portal/openid/callback there.',
    { parse: issuerAddress, placeholder: 'URL' },
  ),
  oidc_client_id: text('', 'Client id of this service at the provider.', { placeholder: 'ID' }),
  oidc_client_secret: text('', 'Client secret of this service at the provider. Empty for a public client.', {
    secret: true,
  }),
  oidc_label: text(
    '',
    'Name of the provider on the login button, after "Sign in with". Default: the host of the provider.',
  ),
  check_responses: yesNo(false, 'Check every response of an operation against its schema (for tests and development).'),
  log_level: oneOf(['debug', 'info', 'warn', 'error'], 'info', 'Lowest level that is logged.'),
  log_format: oneOf(['json', 'pretty'], 'pretty', 'Format of log lines.'),
  access_log: yesNo(true, 'Log a line at the level info for each request.'),
} as const satisfies Record<string, Setting<string> | Setting<number> | Setting<boolean>>
