/** Settings of a workspace that are valid, by name. */
export const VALID_SETTINGS: [string, object][] = [
  ['a name of 200 emoji', { name: '🏢'.repeat(200) }],
  ['a name in other scripts', { name: ' Größe 株式会社 ' }],
  ['a colour of three digits', { primary_color: '#fff' }],
  ['a colour in capitals', { primary_color: '#FFAA00' }],
  ['a logo over http', { logo_url: 'http://acme.example/logo.png?size=2#x' }],
  ['a logo with an international name', { logo_url: 'https://größe.example/ü.svg' }],
  ['a logo of 2048 characters', { logo_url: urlOf(2048) }],
  ['no logo', { logo_url: '' }],
  ['origins with and without a port', { allowed_origins: ['https://acme.example', 'http://localhost:8080'] }],
  ['an origin that is an address', { allowed_origins: ['http://127.0.0.1:3000', 'http://[::1]:3000'] }],
  ['no origins', { allowed_origins: [] }],
  ['signed customers only', { require_customer_token: true }],
  [
    'a hundred origins',
    { allowed_origins: Array.from({ length: 100 }, (_, number) => `https://site-${number}.example`) },
  ],
];

/** Settings that are refused with 400, by name. */
export const INVALID_SETTINGS: [string, object][] = [
  ['an empty name', { name: '' }],
  ['a blank name', { name: ' \u00a0' }],
  ['a name of 201 emoji', { name: '🏢'.repeat(201) }],
  ['a name that is not text', { name: 7 }],
  ['null as name', { name: null }],
  ['the name of a colour', { primary_color: 'red' }],
  ['a colour without #', { primary_color: '4f46e5' }],
  ['a colour with four digits', { primary_color: '#ffff' }],
  ['a colour with eight digits', { primary_color: '#4f46e5ff' }],
  ['a colour with a letter that is not a hexadecimal digit', { primary_color: '#ggg' }],
  ['a colour and a line feed', { primary_color: '#fff\n' }],
  ['a colour as CSS', { primary_color: 'rgb(0,0,0)' }],
  ['an empty colour', { primary_color: '' }],
  ['null as colour', { primary_color: null }],
  ['a list as colour', { primary_color: ['#fff'] }],
  ['a logo that is a script', { logo_url: 'javascript:alert(1)' }],
  ['a data URL as logo', { logo_url: 'data:image/png;base64,AAAA' }],
  ['a logo over ftp', { logo_url: 'ftp://acme.example/logo.png' }],
  ['a relative logo', { logo_url: '/logo.png' }],
  ['a logo without a scheme', { logo_url: '//acme.example/logo.png' }],
  ['a logo without slashes', { logo_url: 'https:acme.example/logo.png' }],
  ['a logo with a backslash', { logo_url: String.raw`https://acme.example\logo.png` }],
  ['a logo with credentials', { logo_url: 'https://user:secret@acme.example/logo.png' }],
  ['a logo with a space', { logo_url: ' https://acme.example/logo.png' }],
  ['a logo of 2049 characters', { logo_url: urlOf(2049) }],
  ['null as logo', { logo_url: null }],
  ['an origin that is not in a list', { allowed_origins: 'https://acme.example' }],
  ['an origin with a slash at its end', { allowed_origins: ['https://acme.example/'] }],
  ['an origin with a path', { allowed_origins: ['https://acme.example/app'] }],
  ['an origin with the default port', { allowed_origins: ['https://acme.example:443'] }],
  ['an origin in capitals', { allowed_origins: ['https://ACME.example'] }],
  ['a wildcard for all origins', { allowed_origins: ['*'] }],
  ['an origin with a wildcard', { allowed_origins: ['https://*.acme.example'] }],
  ['the origin null', { allowed_origins: ['null'] }],
  ['an origin without a scheme', { allowed_origins: ['acme.example'] }],
  ['the origin of files', { allowed_origins: ['file://'] }],
  ['an origin that is not text', { allowed_origins: [null] }],
  [
    'more than a hundred origins',
    { allowed_origins: Array.from({ length: 101 }, (_, number) => `https://site-${number}.example`) },
  ],
  ['null as origins', { allowed_origins: null }],
  ['a text that says true', { require_customer_token: 'true' }],
  ['null for false', { require_customer_token: null }],
];

/** A URL of exactly this many characters. */
function urlOf(length: number): string {
  return 'https://acme.example/'.padEnd(length, 'x');
}
