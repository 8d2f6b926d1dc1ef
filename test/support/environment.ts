export const ADMIN_API_KEY = 'the-operator-key-of-the-tests';

/** 32 bytes. The same in all tests, because they share databases. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64');

/** What tests ask comes from one address, in no time. */
export const WITHOUT_LIMITS = {
  RUNTIME_REQUESTS_PER_MINUTE: '0',
  MANAGEMENT_REQUESTS_PER_MINUTE: '0',
  DECLARATIONS_PER_HOUR: '0',
  FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
};
