/**
 * A self-signed certificate for acme.test, valid for 100 years, and its key. It was made with `openssl req -x509
 * -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=acme.test -addext
 * subjectAltName=DNS:acme.test`
 */
export const CERTIFICATE = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUd7mtV7WLSJ4F2ln+Jq+3Qbvn/qAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJYWNtZS50ZXN0MCAXDTI2MTEyMjA3NDkyMFoYDzIxMjYxMDI5
MDc0OTIwWjAUMRIwEAYDVQQDDAlhY21lLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ9fvmD1YOSG014fisZ3zCQ+sJbm3zMfvGEEayBaYXH4iLZnqMC0Kh1
mnDJAFWDrvspm9D7XOyzFDFuoi1UveObo2kwZzAdBgNVHQ4EFgQUNhn2R4I8QZhI
fVGZWo1OqrALYgYwHwYDVR0jBBgwFoAUNhn2R4I8QZhIfVGZWo1OqrALYgYwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglhY21lLnRlc3QwCgYIKoZIzj0EAwID
SQAwRgIhAOivyEUcBTvjNWG+/ySAgt3T3FRj3cowpiKUmeDuiIWiAiEA6/ZumqV1
WZZULX/6biVcM61j39+mQOZh0WY6HbPDgrk=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0rOIEPAxFz0azQI5
wWXH2JHsWn/mWZI/jp+gh30UjdShRANCAAQ9fvmD1YOSG014fisZ3zCQ+sJbm3zM
fvGEEayBaYXH4iLZnqMC0Kh1mnDJAFWDrvspm9D7XOyzFDFuoi1UveOb
-----END PRIVATE KEY-----`,
};
