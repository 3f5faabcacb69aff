import { BlockList, isIP } from 'node:net'
import { once } from '../../once.ts'

/**
 * Detects programs that fetch images and links of a message although no person reads it, by their headers, user agent
 * and network. Bursts, which show only over several requests, are detected in `engagement.ts`.
 *
 * Proxies that fetch when a person opens the message are not machines: GoogleImageProxy (Gmail) and YahooMailProxy.
 * Gmail's prefetching has another user agent (below), and so has Apple Mail Privacy Protection, which fetches all
 * images whether the message is read or not.
 */

interface Visit {
  method: string
  user_agent: string
  /** The client's IP address. */
  address: string
  headers: Headers
}

export function isMachine({ method, user_agent, address, headers }: Visit): boolean {
  return method === 'HEAD' || isPrefetch(headers) || hasMachineAgent(user_agent) || comesFromGateway(address)
}

/** Browsers mark requests that prefetch a page. */
function isPrefetch(headers: Headers): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|preview|prerender/i.test(headers.get(name) ?? ''),
  )
}

/** Complete user agents of machines. */
const WHOLE: ReadonlySet<string> = new Set([
  '',
  '-',
  // Apple Mail Privacy Protection sends exactly this. Browsers send more.
  'Mozilla/5.0',
  'Mozilla',
  // Gmail, before a message is shown. (A browser of that version is from 2015 and does not say Mozilla twice.)
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 ' +
    'Safari/537.36 Edge/12.246 Mozilla/5.0',
  // Programs that copied the beginning of a browser's user agent.
  'Mozilla/5.0 (compatible)',
  'Mozilla/4.0 (compatible;)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
])

const PARTS = new RegExp(
  [
    // Mail scanners and gateways, and their vendors.
    'barracuda',
    'mimecast',
    'proofpoint',
    'urldefense',
    'safelinks',
    'ironport',
    'messagelabs',
    'symantec',
    'fireeye',
    'trendmicro',
    'forcepoint',
    'websense',
    'mailcontrol',
    'hornetsecurity',
    'retarus',
    'spamexperts',
    'mailguard',
    'zscaler',
    'checkpoint',
    'avanan',
    'ironscales',
    'vade(?:secure|[-_ ]?retro)',
    'bitdefender',
    'kaspersky',
    'sophos',
    'virustotal',
    'urlscan',
    'phishtank',
    'spamhaus',
    'cloudmark',
    'rspamd',
    'spamassassin',
    'safe-?browsing',
    // Previews in chats and feeds.
    'facebookexternalhit',
    'whatsapp',
    'skypeuripreview',
    'bingpreview',
    'microsoftpreview',
    'google-(?:read-aloud|inspectiontool|extended|safety)',
    'embedly',
    'quora link preview',
    'iframely',
    'vkshare',
    'pinterest/0',
    'snap url preview',
    'yahoo! slurp',
    'mediapartners',
    'chrome-lighthouse',
    // HTTP clients and libraries.
    'headless',
    'phantomjs',
    'slimerjs',
    'selenium',
    'puppeteer',
    'playwright',
    'electron-fetch',
    '^curl/',
    '\\bwget',
    'python',
    'aiohttp',
    '^httpx',
    'scrapy',
    'go-http-client',
    '^java/',
    'jakarta',
    'apache-httpclient',
    '^okhttp',
    'libwww',
    'lwp::',
    '^perl',
    '^ruby',
    'faraday',
    '^php',
    'guzzle',
    '^axios',
    'node-fetch',
    '^got ',
    'superagent',
    'winhttp',
    'powershell',
    '^dart/',
    'restsharp',
    'postmanruntime',
    'insomnia/',
    'httrack',
    'http_request',
    'urlgrabber',
    'nutch',
    'heritrix',
    'zgrab',
    'masscan',
    'nmap',
    'nikto',
    'censys',
    'shodan',
    // Anything that calls itself a bot; Cubot is a brand of phones.
    '(?<!cu)bots?\\b',
    'crawl',
    'spider',
    'scanner',
    '\\bscan\\b',
    'link ?check',
    'url ?check',
    'validator',
    'monitor(?:ing)?\\b',
    'prefetch',
    'archiver',
    'fetcher\\b',
  ].join('|'),
  'i',
)

function hasMachineAgent(user_agent: string): boolean {
  const agent = user_agent.trim()
  return WHOLE.has(agent) || PARTS.test(agent)
}

/**
 * Networks that mail gateways send and scan from, as their operators publish them for SPF and allow lists. People do
 * not browse from there. Cloud networks are not listed, because people use some of those.
 */
const GATEWAYS: Readonly<Record<string, readonly string[]>> = {
  Barracuda: ['64.235.144.0/20', '209.222.80.0/21'],
  Mimecast: [
    '41.74.192.0/20',
    '51.163.158.0/23',
    '63.128.21.0/24',
    '91.220.42.0/24',
    '94.185.240.0/24',
    '94.185.244.0/24',
    '103.96.20.0/22',
    '124.47.150.0/24',
    '124.47.189.0/24',
    '146.101.78.0/24',
    '170.10.128.0/21',
    '180.189.28.0/24',
    '185.58.84.0/22',
    '195.130.217.0/24',
    '205.139.110.0/23',
    '207.82.80.0/24',
    '207.211.31.0/24',
    '216.205.24.0/24',
  ],
  Proofpoint: [
    '62.209.50.0/23',
    '66.159.224.0/19',
    '67.231.144.0/20',
    '91.207.212.0/23',
    '91.209.104.0/24',
    '148.163.128.0/19',
    '185.132.180.0/22',
    '185.183.28.0/22',
    '205.220.160.0/19',
    '208.86.200.0/22',
  ],
  'Microsoft Exchange Online Protection and Safe Links': [
    '40.92.0.0/15',
    '40.94.0.0/16',
    '40.107.0.0/16',
    '52.100.0.0/14',
    '104.47.0.0/17',
    '2a01:111:f400::/48',
    '2a01:111:f403::/48',
  ],
  'Cisco Secure Email': ['68.232.128.0/19', '184.94.240.0/20', '207.54.64.0/19', '216.71.128.0/19'],
  'Broadcom MessageLabs': [
    '46.226.48.0/21',
    '67.219.240.0/20',
    '85.158.136.0/21',
    '95.131.104.0/21',
    '103.9.96.0/22',
    '117.120.16.0/21',
    '193.109.254.0/23',
    '194.106.220.0/23',
    '195.245.230.0/23',
    '216.82.240.0/20',
  ],
  'Trend Micro': ['150.70.0.0/16'],
  Hornetsecurity: ['94.100.128.0/20', '185.140.204.0/22'],
}

const gatewayNetworks = once(() => {
  const networks = new BlockList()
  for (const network of Object.values(GATEWAYS).flat()) {
    const [base = '', bits] = network.split('/')
    networks.addSubnet(base, Number(bits), isIP(base) === 6 ? 'ipv6' : 'ipv4')
  }
  return networks
})

function comesFromGateway(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && gatewayNetworks().check(address, version === 6 ? 'ipv6' : 'ipv4')
}
