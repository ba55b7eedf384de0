"""Signatures of webhooks: a key made at the start, its certificate, and the text that is signed."""

import base64
import binascii
import zlib
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

ALGORITHM = "SHA256withRSA"
NAME = "PayPal simulator"


class Signer:
    """An RSA key with a certificate of its own."""

    def __init__(self) -> None:
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
        today = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(self._key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(today - timedelta(days=1))
            .not_valid_after(today + timedelta(days=365))
            .sign(self._key, hashes.SHA256())
        )
        self.certificate = certificate.public_bytes(serialization.Encoding.PEM)
        self.certificate_name = f"CERT-{certificate.fingerprint(hashes.SHA256()).hex()[:32]}"

    def sign(self, *, transmission: str, time: str, webhook: str, body: bytes) -> str:
        """Return the signature of a delivery, in base64."""
        text = signed_text(transmission=transmission, time=time, webhook=webhook, body=body)
        return base64.b64encode(self._key.sign(text, padding.PKCS1v15(), hashes.SHA256())).decode()

    def verify(
        self, signature: str, *, transmission: str, time: str, webhook: str, body: bytes
    ) -> bool:
        """Return whether a signature is ours and of exactly this."""
        text = signed_text(transmission=transmission, time=time, webhook=webhook, body=body)
        try:
            received = base64.b64decode(signature, validate=True)
            self._key.public_key().verify(received, text, padding.PKCS1v15(), hashes.SHA256())
        except (InvalidSignature, binascii.Error, ValueError):
            return False
        return True


def signed_text(*, transmission: str, time: str, webhook: str, body: bytes) -> bytes:
    """Return what PayPal signs: id, time, the webhook's id and the body's CRC-32 as a decimal
    number.
    """
    return f"{transmission}|{time}|{webhook}|{zlib.crc32(body)}".encode()
