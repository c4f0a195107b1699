/** The bytes of each request, prepared as far as possible before the clock runs. */
import {
  type Bills,
  type Credential,
  type LoadJob,
  type Lookups,
  msisdnOf,
  type Purchases,
  referenceOf,
} from './job.ts';

/** The complete next request: head and body. */
export type RequestSource = () => string;

export function requestSource(job: LoadJob): RequestSource {
  switch (job.requests.kind) {
    case 'purchases':
      return purchases(job, job.requests);
    case 'bills':
      return bills(job, job.requests);
    case 'lookups':
      return lookups(job.requests, job.credentials);
  }
}

function purchases(job: LoadJob, requests: Purchases): RequestSource {
  const { run, from, networks, msisdn } = requests;
  const templates = job.credentials.map((credential) =>
    networks.map((network) => purchaseTemplate(credential, requests, network)),
  );
  let n = from;
  return () => {
    const ofCredential = templates[n % templates.length] ?? [];
    const template = ofCredential[Math.floor(n / templates.length) % ofCredential.length] ?? '';
    const request = `${template}${referenceOf(run, n)}","msisdn":"${msisdn ?? msisdnOf(n)}"}`;
    n += 1;
    return request;
  };
}

/**
 * Everything before the reference. References and numbers have one length, so the length of the
 * body is known.
 */
function purchaseTemplate(
  credential: Credential,
  { path, run, amount = '10' }: Purchases,
  network: string,
): string {
  const start = `{"merchant":"${credential.merchant}","network":"${network}","amount":"${amount}","request_ref":"`;
  return postOf(path, credential, start, `${referenceOf(run, 0)}","msisdn":"${msisdnOf(0)}"}`.length);
}

function bills({ credentials }: LoadJob, { run, from, bill }: Bills): RequestSource {
  const templates = credentials.map((credential) => {
    const start = `${JSON.stringify({ merchant: credential.merchant, ...bill }).slice(0, -1)},"request_ref":"`;
    return postOf('/v1/transactions', credential, start, `${referenceOf(run, 0)}"}`.length);
  });
  let n = from;
  return () => {
    const request = `${templates[n % templates.length] ?? ''}${referenceOf(run, n)}"}`;
    n += 1;
    return request;
  };
}

/** The head, and the body without its last `restLength` characters. */
function postOf(path: string, credential: Credential, start: string, restLength: number): string {
  const length = start.length + restLength;
  return `POST ${path} HTTP/1.1\r\n${headers(credential)}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${start}`;
}

function lookups({ paths }: Lookups, credentials: readonly Credential[]): RequestSource {
  const requests = paths.map((path, index) => {
    const credential = credentials[index % credentials.length];
    return `GET ${path} HTTP/1.1\r\n${credential === undefined ? '' : headers(credential)}\r\n`;
  });
  let n = 0;
  return () => {
    n += 1;
    return requests[n % requests.length] ?? '';
  };
}

function headers({ key, secret }: Credential): string {
  return `Host: oja\r\nX-Merchant-Key: ${key}\r\nX-Merchant-Secret: ${secret}\r\n`;
}
