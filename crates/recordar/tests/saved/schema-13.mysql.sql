
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;
DROP TABLE IF EXISTS `abouts`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `abouts` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `document_id` bigint(20) NOT NULL,
  `version_id` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`,`document_id`),
  KEY `abouts_by_version` (`space_id`,`version_id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `abouts` WRITE;
/*!40000 ALTER TABLE `abouts` DISABLE KEYS */;
INSERT INTO `abouts` VALUES (1,44,17,36,16);
/*!40000 ALTER TABLE `abouts` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `account_spending`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `account_spending` (
  `day` bigint(20) NOT NULL,
  `account` varbinary(1024) NOT NULL,
  `calls` bigint(20) NOT NULL,
  `tokens` bigint(20) NOT NULL,
  `nano_usd` bigint(20) NOT NULL,
  PRIMARY KEY (`day`,`account`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `account_spending` WRITE;
/*!40000 ALTER TABLE `account_spending` DISABLE KEYS */;
/*!40000 ALTER TABLE `account_spending` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `api_keys`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `api_keys` (
  `key_id` varbinary(1024) NOT NULL,
  `secret_hash` varbinary(32) NOT NULL,
  `name` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `is_admin` bigint(20) NOT NULL,
  `may_write` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `may_read` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `revoked_at` bigint(20) DEFAULT NULL,
  `last_used_at` bigint(20) DEFAULT NULL,
  `max_nano_usd_per_day` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`key_id`),
  UNIQUE KEY `api_keys_by_secret` (`secret_hash`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `api_keys` WRITE;
/*!40000 ALTER TABLE `api_keys` DISABLE KEYS */;
INSERT INTO `api_keys` VALUES (0x34303834666533386130333261303931,0x4084FE38A032A091470D93475D27B9D1D1F1CE694D1A0E04C3CA2481B78F95AA,'laptop',0,'[\"user:default\"]','[\"shared:*\"]',1795126641373187,NULL,NULL,NULL,2000000000);
/*!40000 ALTER TABLE `api_keys` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `attributes`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `attributes` (
  `space_id` bigint(20) NOT NULL,
  `document_id` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `tags` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `topic` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `note` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `provider` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `metadata` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`document_id`,`born`),
  KEY `attributes_by_change` (`space_id`,`changed`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `attributes` WRITE;
/*!40000 ALTER TABLE `attributes` DISABLE KEYS */;
/*!40000 ALTER TABLE `attributes` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `buckets`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `buckets` (
  `space_id` bigint(20) NOT NULL,
  `bucket_hash` varbinary(32) NOT NULL,
  `bucket` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `born` bigint(20) NOT NULL,
  `position` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`bucket_hash`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `buckets` WRITE;
/*!40000 ALTER TABLE `buckets` DISABLE KEYS */;
/*!40000 ALTER TABLE `buckets` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `categories`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `categories` (
  `space_id` bigint(20) NOT NULL,
  `category_id` bigint(20) NOT NULL,
  `parent_id` bigint(20) DEFAULT NULL,
  `parent_level` bigint(20) DEFAULT NULL,
  `parent_key` bigint(20) NOT NULL,
  `level` bigint(20) NOT NULL,
  `depth` bigint(20) NOT NULL,
  `leaf` bigint(20) NOT NULL,
  `name_hash` varbinary(32) NOT NULL,
  `name` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `born` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`category_id`),
  UNIQUE KEY `space_id` (`space_id`,`category_id`,`level`),
  UNIQUE KEY `space_id_2` (`space_id`,`category_id`,`leaf`),
  UNIQUE KEY `space_id_3` (`space_id`,`parent_key`,`name_hash`),
  KEY `space_id_4` (`space_id`,`depth`),
  KEY `space_id_5` (`space_id`,`parent_id`,`parent_level`),
  KEY `categories_by_parent` (`space_id`,`parent_id`),
  KEY `categories_by_change` (`space_id`,`changed`),
  CONSTRAINT `categories_ibfk_1` FOREIGN KEY (`space_id`, `depth`) REFERENCES `trees` (`space_id`, `depth`),
  CONSTRAINT `categories_ibfk_2` FOREIGN KEY (`space_id`, `parent_id`, `parent_level`) REFERENCES `categories` (`space_id`, `category_id`, `level`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`level` >= 1 and `level` <= `depth`),
  CONSTRAINT `CONSTRAINT_2` CHECK (`level` = 1 and `parent_id` is null and `parent_level` is null and `parent_key` = 0 or `level` > 1 and `parent_id` is not null and `parent_level` is not null and `parent_level` = `level` - 1 and `parent_key` = `parent_id`),
  CONSTRAINT `CONSTRAINT_3` CHECK (`leaf` = 1 and `level` = `depth` or `leaf` = 0 and `level` < `depth`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `categories` WRITE;
/*!40000 ALTER TABLE `categories` DISABLE KEYS */;
INSERT INTO `categories` VALUES (1,21,NULL,NULL,0,1,3,0,0xB450645DEBE2CF0A590EDD7F78D36ECCD465027D389652DC30D6350542587C04,'Contacts',6,6);
INSERT INTO `categories` VALUES (1,22,21,1,21,2,3,0,0xB450645DEBE2CF0A590EDD7F78D36ECCD465027D389652DC30D6350542587C04,'Contacts',6,6);
INSERT INTO `categories` VALUES (1,23,22,2,22,3,3,1,0xB450645DEBE2CF0A590EDD7F78D36ECCD465027D389652DC30D6350542587C04,'Contacts',6,6);
INSERT INTO `categories` VALUES (1,24,NULL,NULL,0,1,3,0,0x387590666D20F8B30AE195674E6713D1EE813D8286B542F5A74F0A3170490BF6,'Duties',6,6);
INSERT INTO `categories` VALUES (1,25,24,1,24,2,3,0,0x387590666D20F8B30AE195674E6713D1EE813D8286B542F5A74F0A3170490BF6,'Duties',6,6);
INSERT INTO `categories` VALUES (1,26,25,2,25,3,3,1,0x387590666D20F8B30AE195674E6713D1EE813D8286B542F5A74F0A3170490BF6,'Duties',6,6);
INSERT INTO `categories` VALUES (1,27,NULL,NULL,0,1,3,0,0x0CA46CAFFF3D9D574A3FC9B780BFAE6DED08EB7334EEBF988803E183A1474773,'Fish soup for a storm',6,6);
INSERT INTO `categories` VALUES (1,28,27,1,27,2,3,0,0x0CA46CAFFF3D9D574A3FC9B780BFAE6DED08EB7334EEBF988803E183A1474773,'Fish soup for a storm',6,6);
INSERT INTO `categories` VALUES (1,29,28,2,28,3,3,1,0x0CA46CAFFF3D9D574A3FC9B780BFAE6DED08EB7334EEBF988803E183A1474773,'Fish soup for a storm',6,6);
INSERT INTO `categories` VALUES (1,30,NULL,NULL,0,1,3,0,0xA0BBA638124664064545EDB48049C05385D1542084B2B79BB6EC0CFEA6D636C9,'Weather',6,6);
INSERT INTO `categories` VALUES (1,31,30,1,30,2,3,0,0xA0BBA638124664064545EDB48049C05385D1542084B2B79BB6EC0CFEA6D636C9,'Weather',6,6);
INSERT INTO `categories` VALUES (1,32,31,2,31,3,3,1,0xA0BBA638124664064545EDB48049C05385D1542084B2B79BB6EC0CFEA6D636C9,'Weather',6,6);
INSERT INTO `categories` VALUES (1,33,NULL,NULL,0,1,3,0,0x9887FFE8D0DB484E83D53A5D95654DC1A1C5AFE136EF8658879A832661CC57AE,'The lighthouse keepers\' handbook',6,6);
INSERT INTO `categories` VALUES (1,34,33,1,33,2,3,0,0x9887FFE8D0DB484E83D53A5D95654DC1A1C5AFE136EF8658879A832661CC57AE,'The lighthouse keepers\' handbook',6,6);
INSERT INTO `categories` VALUES (1,35,34,2,34,3,3,1,0x9887FFE8D0DB484E83D53A5D95654DC1A1C5AFE136EF8658879A832661CC57AE,'The lighthouse keepers\' handbook',6,6);
/*!40000 ALTER TABLE `categories` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `confirmations`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `confirmations` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `review_by` bigint(20) DEFAULT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`,`born`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `confirmations` WRITE;
/*!40000 ALTER TABLE `confirmations` DISABLE KEYS */;
INSERT INTO `confirmations` VALUES (1,45,18,4070908800000000,18);
/*!40000 ALTER TABLE `confirmations` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `documents`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `documents` (
  `space_id` bigint(20) NOT NULL,
  `document_id` bigint(20) NOT NULL,
  `path_hash` varbinary(32) NOT NULL,
  `path` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `filename` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `born` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  `collection` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `name` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`space_id`,`document_id`),
  UNIQUE KEY `space_id` (`space_id`,`path_hash`),
  KEY `documents_by_change` (`space_id`,`changed`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `documents` WRITE;
/*!40000 ALTER TABLE `documents` DISABLE KEYS */;
INSERT INTO `documents` VALUES (1,1,0xD46BB07817FBEC4F0DD4C52430BA6B5D43229EB798BB8DB793C0D6AFF52F0E50,'/srv/recordar-saved/handbook/contacts.json','contacts.json',1,1,'handbook','contacts.json');
INSERT INTO `documents` VALUES (1,5,0x1B789D3C51AC2555C5A89EB28608A8E090C42806CE6A82D9BEC9F62EABDB12F0,'/srv/recordar-saved/handbook/duties.yaml','duties.yaml',2,2,'handbook','duties.yaml');
INSERT INTO `documents` VALUES (1,9,0xB38131029B6A6B6C9E47B589617BE6E4C8CF803004008CED8A92D22F752C3663,'/srv/recordar-saved/handbook/recipes/fish-soup.md','fish-soup.md',3,3,'handbook','recipes/fish-soup.md');
INSERT INTO `documents` VALUES (1,13,0x6A045572DB0DE1B2C3AB85C1566D593C3E3987AFBCD6DC840073E76A0C5092BB,'/srv/recordar-saved/handbook/weather.txt','weather.txt',4,4,'handbook','weather.txt');
INSERT INTO `documents` VALUES (1,17,0x59C4C3863ECB780D947F33AA594DFD2A02D83F18B6602F9E4F9F640BB621EDD9,'/srv/recordar-saved/handbook/welcome.md','welcome.md',5,7,'handbook','welcome.md');
/*!40000 ALTER TABLE `documents` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `embedders`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `embedders` (
  `number` bigint(20) NOT NULL,
  `model` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `model_hash` varbinary(32) NOT NULL,
  `state` bigint(20) NOT NULL,
  `made_at` bigint(20) NOT NULL,
  `dimension` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`number`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `embedders` WRITE;
/*!40000 ALTER TABLE `embedders` DISABLE KEYS */;
/*!40000 ALTER TABLE `embedders` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `expiries`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `expiries` (
  `space_id` bigint(20) NOT NULL,
  `kind` bigint(20) NOT NULL,
  `subject` bigint(20) NOT NULL,
  `tag_hash` varbinary(32) NOT NULL,
  `tag` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `expires_at` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`kind`,`subject`,`tag_hash`),
  KEY `expiries_by_time` (`space_id`,`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `expiries` WRITE;
/*!40000 ALTER TABLE `expiries` DISABLE KEYS */;
/*!40000 ALTER TABLE `expiries` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `fact_marks`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `fact_marks` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `is_retired` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`,`born`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `fact_marks` WRITE;
/*!40000 ALTER TABLE `fact_marks` DISABLE KEYS */;
/*!40000 ALTER TABLE `fact_marks` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `fact_words`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `fact_words` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `source_id` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `words_id` bigint(20) DEFAULT NULL,
  `words_hash` varbinary(32) DEFAULT NULL,
  `confirmed` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`,`source_id`,`born`),
  KEY `fact_words_by_source` (`space_id`,`source_id`),
  KEY `fact_words_by_words` (`space_id`,`words_id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `fact_words` WRITE;
/*!40000 ALTER TABLE `fact_words` DISABLE KEYS */;
INSERT INTO `fact_words` VALUES (1,45,3,17,3,0xB3DCDD9F3878C0D35E5CFA8585D2DA20CE515CE44434D76547BD105AC6F3C2D5,0,17);
/*!40000 ALTER TABLE `fact_words` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `facts`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `facts` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `key_hash` varbinary(32) NOT NULL,
  `subject_hash` varbinary(32) NOT NULL,
  `subject` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `attribute` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `value` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `many` bigint(20) NOT NULL,
  `since` bigint(20) NOT NULL,
  `confidence` bigint(20) NOT NULL,
  `method` bigint(20) NOT NULL,
  `own` bigint(20) NOT NULL,
  `thread_id` bigint(20) DEFAULT NULL,
  `source_id` bigint(20) DEFAULT NULL,
  `span_start` bigint(20) DEFAULT NULL,
  `span_end` bigint(20) DEFAULT NULL,
  `corrects` bigint(20) DEFAULT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`),
  KEY `facts_by_key` (`space_id`,`key_hash`),
  KEY `facts_by_subject` (`space_id`,`subject_hash`),
  KEY `facts_by_source` (`space_id`,`source_id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `facts` WRITE;
/*!40000 ALTER TABLE `facts` DISABLE KEYS */;
/*!40000 ALTER TABLE `facts` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `headings`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `headings` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `section` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `sections` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`,`born`),
  KEY `headings_by_change` (`space_id`,`changed`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `headings` WRITE;
/*!40000 ALTER TABLE `headings` DISABLE KEYS */;
/*!40000 ALTER TABLE `headings` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `helpers`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `helpers` (
  `space_id` bigint(20) NOT NULL,
  `helper_id` bigint(20) NOT NULL,
  `document_id` bigint(20) NOT NULL,
  `number` bigint(20) NOT NULL,
  `origin` bigint(20) NOT NULL,
  `content` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `tokens` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `retired` bigint(20) DEFAULT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`helper_id`),
  UNIQUE KEY `space_id` (`space_id`,`document_id`,`number`),
  KEY `helpers_by_change` (`space_id`,`changed`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `helpers` WRITE;
/*!40000 ALTER TABLE `helpers` DISABLE KEYS */;
INSERT INTO `helpers` VALUES (1,4,1,1,1,'Topic: keeping the light. { \"harbour_office\": { \"name\": \"Marisol Ibarra\", \"phone\": \"extension 14\", \"hours\": \"Monday to Friday, 8 to 15\" }, \"coast_guard\": { \"channel\": 16, \"call_sign\": \"Punta Clara Radio\", \"note\": \"Report the light being out within ten minutes.\" }, \"cooperative\": { \"name\": \"Cooperativa Las Gaviotas\", \"order_before\": \"the Friday before the boat\" } }.',112,1795126641056495,1,NULL,1);
INSERT INTO `helpers` VALUES (1,8,5,1,1,'Topic: keeping the light. - keeper: Ana hours: sunset to midnight duties: - light the lamp - count the flashes at ten - keeper: Tomás hours: midnight to sunrise duties: - trim the lamp at three - write the log weekly: monday: clean the lens wednesday: test the fog signal saturday: run the spare generator for twenty minutes.',73,1795126641080400,2,NULL,2);
INSERT INTO `helpers` VALUES (1,12,9,1,1,'Topic: keeping the light. For two keepers and one guest.',14,1795126641083533,3,NULL,3);
INSERT INTO `helpers` VALUES (1,16,13,1,1,'Topic: keeping the light. How to read the sky at Punta Clara.',15,1795126641089230,4,NULL,4);
INSERT INTO `helpers` VALUES (1,20,17,1,1,'Topic: keeping the light. Everything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end, and then keep it beside the lamp.',40,1795126641092751,5,NULL,5);
/*!40000 ALTER TABLE `helpers` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `important_marks`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `important_marks` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `is_important` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`,`born`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `important_marks` WRITE;
/*!40000 ALTER TABLE `important_marks` DISABLE KEYS */;
INSERT INTO `important_marks` VALUES (1,41,15,1,15);
/*!40000 ALTER TABLE `important_marks` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `items`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `items` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `kind` bigint(20) NOT NULL,
  `document_id` bigint(20) DEFAULT NULL,
  `version_id` bigint(20) DEFAULT NULL,
  `thread_id` bigint(20) DEFAULT NULL,
  `position` bigint(20) NOT NULL,
  `overlap` bigint(20) NOT NULL,
  `section` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `role` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `source` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `content` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `tokens` bigint(20) NOT NULL,
  `importance` bigint(20) DEFAULT NULL,
  `metadata` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `occurred_at` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `category_id` bigint(20) DEFAULT NULL,
  `category_leaf` bigint(20) DEFAULT NULL,
  `born` bigint(20) NOT NULL,
  `retired` bigint(20) DEFAULT NULL,
  `changed` bigint(20) NOT NULL,
  `speaker` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `own_id_hash` varbinary(32) DEFAULT NULL,
  `own_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `sections` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `place` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`space_id`,`item_id`),
  KEY `space_id` (`space_id`,`category_id`,`category_leaf`),
  KEY `items_by_change` (`space_id`,`changed`),
  KEY `items_by_thread` (`space_id`,`thread_id`),
  KEY `items_by_retirement` (`space_id`,`retired`),
  KEY `items_by_leaf` (`space_id`,`category_id`,`kind`,`retired`,`recorded_at`,`item_id`),
  KEY `items_by_own_id` (`space_id`,`own_id_hash`),
  KEY `items_by_document` (`space_id`,`document_id`),
  CONSTRAINT `items_ibfk_1` FOREIGN KEY (`space_id`, `category_id`, `category_leaf`) REFERENCES `categories` (`space_id`, `category_id`, `leaf`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`category_id` is null and `category_leaf` is null or `category_id` is not null and `category_leaf` is not null and `category_leaf` = 1 and `kind` = 1)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `items` WRITE;
/*!40000 ALTER TABLE `items` DISABLE KEYS */;
INSERT INTO `items` VALUES (1,3,1,1,2,NULL,0,0,NULL,NULL,NULL,'{\n  \"harbour_office\": {\n    \"name\": \"Marisol Ibarra\",\n    \"phone\": \"extension 14\",\n    \"hours\": \"Monday to Friday, 8 to 15\"\n  },\n  \"coast_guard\": {\n    \"channel\": 16,\n    \"call_sign\": \"Punta Clara Radio\",\n    \"note\": \"Report the light being out within ten minutes.\"\n  },\n  \"cooperative\": {\n    \"name\": \"Cooperativa Las Gaviotas\",\n    \"order_before\": \"the Friday before the boat\"\n  }\n}\n',120,NULL,NULL,1795126638092800,1795126641056495,23,1,1,NULL,1,NULL,NULL,NULL,'[{\"at\":2,\"section\":\"harbour_office\"},{\"at\":83,\"section\":\"harbour_office.hours\"},{\"at\":129,\"section\":\"coast_guard\"},{\"at\":205,\"section\":\"coast_guard.note\"},{\"at\":271,\"section\":\"cooperative\"}]',NULL);
INSERT INTO `items` VALUES (1,7,1,5,6,NULL,0,0,'watch',NULL,NULL,'watch:\n  - keeper: Ana\n    hours: sunset to midnight\n    duties:\n      - light the lamp\n      - count the flashes at ten\n  - keeper: Tomás\n    hours: midnight to sunrise\n    duties:\n      - trim the lamp at three\n      - write the log\nweekly:\n  monday: clean the lens\n  wednesday: test the fog signal\n  saturday: run the spare generator for twenty minutes\n',92,NULL,NULL,1795126638092836,1795126641080400,26,1,2,NULL,2,NULL,NULL,NULL,'[{\"at\":65,\"section\":\"watch[0]\"},{\"at\":121,\"section\":\"watch[1]\"},{\"at\":214,\"section\":\"watch[1][1]\"},{\"at\":236,\"section\":\"weekly\"},{\"at\":302,\"section\":\"weekly.saturday\"}]',NULL);
INSERT INTO `items` VALUES (1,11,1,9,10,NULL,0,0,'Fish soup for a storm',NULL,NULL,'# Fish soup for a storm\n\nFor two keepers and one guest.\n\n1. Fry an onion and two cloves of garlic in oil until they are soft.\n2. Add three potatoes in pieces and a litre of water, and let it cook for a quarter of an hour.\n3. Add whatever the day gave, cleaned and cut, and a spoon of paprika. Ten minutes more.\n\nIt keeps for two days, which is as long as most storms.\n',92,NULL,NULL,1795126638092887,1795126641083533,29,1,3,NULL,3,NULL,NULL,NULL,NULL,NULL);
INSERT INTO `items` VALUES (1,15,1,13,14,NULL,0,0,NULL,NULL,NULL,'How to read the sky at Punta Clara.\n\nA red sky in the evening over the mainland means a dry day tomorrow. Thin high clouds from the south-west that thicken\nbefore noon mean rain within a day. When the gulls stay on land, so does the boat.\n\nThe barometer in the kitchen reads three millibars too low. If it falls by more than six in three hours, close the shutters\non the west side, fasten the boat with the second rope, and fill the lamp for two nights.\n\nSwell without wind comes from a storm that is still far away. It arrives about a day before the storm does.\n',131,NULL,NULL,1795126638092911,1795126641089230,32,1,4,NULL,4,NULL,NULL,NULL,NULL,NULL);
INSERT INTO `items` VALUES (1,19,1,17,18,NULL,0,0,'The lighthouse keepers\' handbook',NULL,NULL,'# The lighthouse keepers\' handbook\n\nEverything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end,\nand then keep it beside the lamp.\n\n## The lamp\n\nThe lamp is lit half an hour before sunset and put out half an hour after sunrise. Its rhythm is two flashes every\nfifteen seconds. If the rhythm changes, ships believe they are somewhere else; nothing that a keeper does is more important\nthan the rhythm.\n\nThe lens is cleaned with the soft cloth from the blue drawer and nothing else. Spirits make it blind.\n\n## The fog signal\n\nWhen the island of Las Gaviotas can no longer be seen, start the fog signal: one blast of four seconds each minute. Write\nthe beginning and the end into the log, with the wind.\n\n## Supplies\n\nThe boat comes on the first and the third Tuesday of the month, weather permitting. Order lamp parts from Marisol at the\nharbour office, and food from the cooperative. Keep water for at least twenty days.\n',216,NULL,NULL,1795126638092928,1795126641092751,35,1,5,7,7,NULL,NULL,NULL,'[{\"at\":192,\"section\":\"The lighthouse keepers\' handbook > The lamp\"},{\"at\":565,\"section\":\"The lighthouse keepers\' handbook > The fog signal\"},{\"at\":762,\"section\":\"The lighthouse keepers\' handbook > Supplies\"}]',NULL);
INSERT INTO `items` VALUES (1,37,1,17,36,NULL,0,0,'The lighthouse keepers\' handbook',NULL,NULL,'# The lighthouse keepers\' handbook\n\nEverything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end,\nand then keep it beside the lamp.\n\n## The lamp\n\nThe lamp is lit half an hour before sunset and put out half an hour after sunrise. Its rhythm is three flashes every\nfifteen seconds. If the rhythm changes, ships believe they are somewhere else; nothing that a keeper does is more important\nthan the rhythm.\n\nThe lens is cleaned with the soft cloth from the blue drawer and nothing else. Spirits make it blind.\n\n## The fog signal\n\nWhen the island of Las Gaviotas can no longer be seen, start the fog signal: one blast of four seconds each minute. Write\nthe beginning and the end into the log, with the wind.\n\n## Supplies\n\nThe boat comes on the first and the third Tuesday of the month, weather permitting. Order lamp parts from Marisol at the\nharbour office, and food from the cooperative. Keep water for at least twenty days.\n',216,NULL,NULL,1795126641116849,1795126641168734,35,1,7,NULL,7,NULL,NULL,NULL,'[{\"at\":192,\"section\":\"The lighthouse keepers\' handbook > The lamp\"},{\"at\":567,\"section\":\"The lighthouse keepers\' handbook > The fog signal\"},{\"at\":764,\"section\":\"The lighthouse keepers\' handbook > Supplies\"}]',NULL);
INSERT INTO `items` VALUES (1,39,2,NULL,NULL,38,0,0,NULL,'user',NULL,'The new lens arrives with the boat on the third Tuesday.',12,800000,NULL,1795126641201611,1795126641201611,NULL,NULL,9,NULL,9,'Ada',NULL,NULL,NULL,NULL);
INSERT INTO `items` VALUES (1,40,2,NULL,NULL,NULL,0,0,NULL,'user',NULL,'The bell is polished in May.',7,NULL,NULL,1795126641226502,1795126641226502,NULL,NULL,10,11,11,NULL,0xF683740CDED6680D9D94DFE6A258E44C96A27278A89E15ACB52C0B8F32453D38,'bell',NULL,NULL);
INSERT INTO `items` VALUES (1,41,2,NULL,NULL,NULL,0,0,NULL,'user',NULL,'The bell is polished in June.',7,NULL,NULL,1795126641251978,1795126641251978,NULL,NULL,11,NULL,11,NULL,0xF683740CDED6680D9D94DFE6A258E44C96A27278A89E15ACB52C0B8F32453D38,'bell',NULL,NULL);
INSERT INTO `items` VALUES (1,44,2,NULL,NULL,NULL,0,0,NULL,'user',NULL,'The page of the lamp was corrected.',8,NULL,NULL,1795126641354529,1795126641354529,NULL,NULL,16,NULL,16,NULL,NULL,NULL,NULL,NULL);
INSERT INTO `items` VALUES (1,45,3,NULL,NULL,NULL,0,0,NULL,'user',NULL,'The lamp shows three flashes.',6,NULL,NULL,1795126641420901,1795126641420901,NULL,NULL,17,NULL,17,NULL,NULL,NULL,NULL,NULL);
/*!40000 ALTER TABLE `items` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `jobs`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `jobs` (
  `space_id` bigint(20) NOT NULL,
  `kind` bigint(20) NOT NULL,
  `subject` bigint(20) NOT NULL,
  `state` bigint(20) NOT NULL,
  `due_at` bigint(20) DEFAULT NULL,
  `lease` varbinary(32) DEFAULT NULL,
  `attempts` bigint(20) NOT NULL,
  `leases` bigint(20) NOT NULL,
  `made_at` bigint(20) NOT NULL,
  `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`space_id`,`kind`,`subject`),
  KEY `jobs_by_due` (`space_id`,`kind`,`due_at`,`subject`),
  KEY `jobs_by_lease` (`lease`,`space_id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `jobs` WRITE;
/*!40000 ALTER TABLE `jobs` DISABLE KEYS */;
/*!40000 ALTER TABLE `jobs` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `labels`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `labels` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `topics` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `category` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `message_type` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `entities` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `importance` bigint(20) NOT NULL,
  `confidence` bigint(20) NOT NULL,
  `suggested_topic_hash` varbinary(32) DEFAULT NULL,
  `suggested_topic` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `suggested_category_hash` varbinary(32) DEFAULT NULL,
  `suggested_category` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `vocabulary_version` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `enrichment_model` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `backfill` bigint(20) DEFAULT NULL,
  `retired` bigint(20) DEFAULT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`,`born`),
  KEY `labels_by_change` (`space_id`,`changed`),
  KEY `labels_by_topic` (`suggested_topic_hash`,`retired`,`space_id`,`item_id`),
  KEY `labels_by_category` (`suggested_category_hash`,`retired`,`space_id`,`item_id`),
  KEY `labels_by_backfill` (`backfill`,`retired`,`space_id`,`item_id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `labels` WRITE;
/*!40000 ALTER TABLE `labels` DISABLE KEYS */;
INSERT INTO `labels` VALUES (1,39,9,'[\"general_inquiry\"]','conversation','statement','[]',800000,1,NULL,NULL,NULL,NULL,'2024-01-15','built-in',NULL,NULL,9);
INSERT INTO `labels` VALUES (1,40,10,'[\"general_inquiry\"]','conversation','statement','[]',500000,1,NULL,NULL,NULL,NULL,'2024-01-15','built-in',NULL,NULL,10);
INSERT INTO `labels` VALUES (1,41,11,'[\"general_inquiry\"]','conversation','statement','[]',500000,1,NULL,NULL,NULL,NULL,'2024-01-15','built-in',NULL,NULL,11);
INSERT INTO `labels` VALUES (1,44,16,'[\"general_inquiry\"]','conversation','statement','[]',500000,1,NULL,NULL,NULL,NULL,'2024-01-15','built-in',NULL,NULL,16);
INSERT INTO `labels` VALUES (1,45,17,'[\"general_inquiry\"]','conversation','statement','[]',500000,1,NULL,NULL,NULL,NULL,'2024-01-15','built-in',NULL,NULL,17);
/*!40000 ALTER TABLE `labels` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lineage`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lineage` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `source_id` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`,`source_id`),
  KEY `lineage_by_source` (`space_id`,`source_id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lineage` WRITE;
/*!40000 ALTER TABLE `lineage` DISABLE KEYS */;
INSERT INTO `lineage` VALUES (1,45,3);
/*!40000 ALTER TABLE `lineage` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `operations`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `operations` (
  `space_id` bigint(20) NOT NULL,
  `operation_hash` varbinary(32) NOT NULL,
  `whole_hash` varbinary(32) NOT NULL,
  `operation_id` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `kind` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `state` bigint(20) NOT NULL,
  `request_hash` varbinary(32) DEFAULT NULL,
  `revision` bigint(20) DEFAULT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `first_id` bigint(20) NOT NULL,
  `end_id` bigint(20) NOT NULL,
  `result` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `error` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`space_id`,`operation_hash`),
  KEY `operations_by_revision` (`space_id`,`revision`),
  KEY `operations_by_whole` (`space_id`,`whole_hash`),
  KEY `operations_by_time` (`space_id`,`recorded_at`,`revision`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `operations` WRITE;
/*!40000 ALTER TABLE `operations` DISABLE KEYS */;
INSERT INTO `operations` VALUES (1,0x065444B12586A627EF91E87E6CA41308BAC82A3C365EABAF23F68F24063C7E01,0xD2283734D6410AC693511B300FCFA5A5823F6B9D518855B7D4AD02FFA8D06568,'8d6c0f9c-9eef-4ec2-a7df-4f80dc4e9010/f4cadbbb48a75381','classify',1,0x0BEC16A47F5F82D164BC4C1BEC338F8673371BEF783C2EA5A8EF7B45E719BD7F,6,1795126641101293,21,36,'{\"chunks\":5}',NULL);
INSERT INTO `operations` VALUES (1,0x25C45AAA33045E826F6818E8D3B9A6A0021B835ACD49E7C7E08C1A350CD6D741,0xD2283734D6410AC693511B300FCFA5A5823F6B9D518855B7D4AD02FFA8D06568,'8d6c0f9c-9eef-4ec2-a7df-4f80dc4e9010/0da6298a69a98441','ingest',1,0xD7D4543318C1553528BC6DBDDBEBE3F34E0116B337E00F859ED67573F9F776BB,1,1795126641056495,1,5,'{\"status\":\"added\",\"document_id\":1,\"version_id\":2,\"version\":1,\"chunks\":1,\"tokens\":120,\"retired_chunks\":0,\"classified\":0,\"kept_chunks\":0}',NULL);
INSERT INTO `operations` VALUES (1,0x2CF103CB085E005ACBB2058494DDCC4E96EA05ED5A453C204FCF09B15A77A0BC,0x2CF103CB085E005ACBB2058494DDCC4E96EA05ED5A453C204FCF09B15A77A0BC,'00a08e48-b561-44aa-8623-db7dddfaf985','set_standing_text',1,0x063AF06BCF9EDF5D93D7703F2A6D15FF970860F0D97722EBF1391E6D280F56A2,14,1795126641306779,44,44,'[1,1]',NULL);
INSERT INTO `operations` VALUES (1,0x34E9A1DBD5957BA583908AD338BE3DCC62CDB2F4F4B11DB33A025A871BD9F46F,0xD2283734D6410AC693511B300FCFA5A5823F6B9D518855B7D4AD02FFA8D06568,'8d6c0f9c-9eef-4ec2-a7df-4f80dc4e9010/2816989fc0f3b992','ingest',1,0x9FFE772EBCAF0A8A5739A7FC317479994B721998E1A8E70540F8E4B92BE84701,2,1795126641080400,5,9,'{\"status\":\"added\",\"document_id\":5,\"version_id\":6,\"version\":1,\"chunks\":1,\"tokens\":92,\"retired_chunks\":0,\"classified\":0,\"kept_chunks\":0}',NULL);
INSERT INTO `operations` VALUES (1,0x34FC5AE6F1D2D467DE6463405D6C612A23FA8F8075DFB25C0650653BC06DE502,0x34FC5AE6F1D2D467DE6463405D6C612A23FA8F8075DFB25C0650653BC06DE502,'0824a77c-5cf0-4041-8604-08bbdc816ef7','remember',1,0x8F017CD7CABE64C49C8382EE0AEAB4FE2BDC8E981BF8831278D87E65A0777B77,10,1795126641226502,40,41,'{\"first_item_id\":40,\"messages\":1}',NULL);
INSERT INTO `operations` VALUES (1,0x35B15377D7246AD1A13531CAAB57E7552E3B2C58F27ED1971B30729E06A55092,0xD2283734D6410AC693511B300FCFA5A5823F6B9D518855B7D4AD02FFA8D06568,'8d6c0f9c-9eef-4ec2-a7df-4f80dc4e9010/5a2bdfac228b9121','ingest',1,0x13CEFCA66DA085E64333A1D2D10703D95A5F51B3FBAEB8A3EEAA7B24D2800038,5,1795126641092751,17,21,'{\"status\":\"added\",\"document_id\":17,\"version_id\":18,\"version\":1,\"chunks\":1,\"tokens\":216,\"retired_chunks\":0,\"classified\":0,\"kept_chunks\":0}',NULL);
INSERT INTO `operations` VALUES (1,0x3E6BFC5B8D945885B4EBCCAD481D254F5E76B95CC6177361309024C60BF9E004,0xD2283734D6410AC693511B300FCFA5A5823F6B9D518855B7D4AD02FFA8D06568,'8d6c0f9c-9eef-4ec2-a7df-4f80dc4e9010/da7dda2db0ca06a0','ingest',1,0xD0687FDC81F2025A486B27FD755B185DAFBCA0957448591F0045669C47AFC8DA,4,1795126641089230,13,17,'{\"status\":\"added\",\"document_id\":13,\"version_id\":14,\"version\":1,\"chunks\":1,\"tokens\":131,\"retired_chunks\":0,\"classified\":0,\"kept_chunks\":0}',NULL);
INSERT INTO `operations` VALUES (1,0x44BDBC159116C6B41B1ACBB47F65234DAA2AC014E1CE9D55CB7B4566B3F8D844,0x44BDBC159116C6B41B1ACBB47F65234DAA2AC014E1CE9D55CB7B4566B3F8D844,'ba0a37f1-a37d-4b87-98f1-d6d24c882d0a','remember',1,0xB04CF9381B16AE90C9C54385326A3DE81FD2C94F2DA26712D5631F6BD8A37707,17,1795126641420901,45,46,'{\"first_item_id\":45,\"messages\":1}',NULL);
INSERT INTO `operations` VALUES (1,0x476759DABCC2CE2149476F224F3FD40BAA69B925D290E3A9BAAA6E3D1C097FCE,0xA560B8B3BA84E981EA76AF367F5245D6EFC95A2F25DE5A9506608E976376829C,'2cf93724-955c-4889-8a8f-e671490fa0cc/8d84e423dc4c007f','ingest',1,0xC7348F41C938A6847B148CFE9AB0A394DC90FE5B2B0280F55CC2F60AAD4926EE,7,1795126641168734,36,38,'{\"status\":\"updated\",\"document_id\":17,\"version_id\":36,\"version\":2,\"chunks\":1,\"tokens\":216,\"retired_chunks\":1,\"classified\":0,\"kept_chunks\":0}',NULL);
INSERT INTO `operations` VALUES (1,0x64A30CD8A0BCADD9B02484C995AF326739893D2161843446D3F33C8BF37F0773,0x64A30CD8A0BCADD9B02484C995AF326739893D2161843446D3F33C8BF37F0773,'cd38b6de-9783-40d6-a9fe-de26979aae15','confirm_fact',1,0x755A780703A5D2BDA06DCF5F54CBADBDA5FC1FF9C473B6974DFA555C3FB3B1F0,18,1795126641460210,46,46,'{\"fact\":45,\"review_by\":\"2099-01-01T00:00:00Z\",\"is_changed\":true}',NULL);
INSERT INTO `operations` VALUES (1,0x702BEBB57515E5B639AB371C68B9A219F2BC4F87C82AF0DD5F32FD42CDEF8AE5,0xD2283734D6410AC693511B300FCFA5A5823F6B9D518855B7D4AD02FFA8D06568,'8d6c0f9c-9eef-4ec2-a7df-4f80dc4e9010/1be64ed2dfbb63bb','ingest',1,0x3C26028139A7E597E573D48AE2A196159897FA303A02F2E5BE8878FC688975A9,3,1795126641083533,9,13,'{\"status\":\"added\",\"document_id\":9,\"version_id\":10,\"version\":1,\"chunks\":1,\"tokens\":92,\"retired_chunks\":0,\"classified\":0,\"kept_chunks\":0}',NULL);
INSERT INTO `operations` VALUES (1,0x9BA705EF9CC374A74AB4E2DB49291D4EFF51E9D470D326CA2B4C58314FF23B56,0x9BA705EF9CC374A74AB4E2DB49291D4EFF51E9D470D326CA2B4C58314FF23B56,'e0f3b882-f9b7-4673-a04c-a3c0fb68c4ab','remember',1,NULL,16,1795126641354529,44,45,'{\"first_item_id\":44,\"messages\":1}',NULL);
INSERT INTO `operations` VALUES (1,0xA63E6DD28AF1DFC543DE91E919A1FA550B68F784F668DB95ADEFDBDAFED6813E,0xA63E6DD28AF1DFC543DE91E919A1FA550B68F784F668DB95ADEFDBDAFED6813E,'fe7388eb-04ed-4326-aaef-9b9c1394fe13','important',1,NULL,15,1795126641328005,44,44,'{\"item\":41,\"is_changed\":true}',NULL);
INSERT INTO `operations` VALUES (1,0xB729BD5787472A0DA539BECA08ABE5E4D2EF09E20A378991076D387026485D64,0xB729BD5787472A0DA539BECA08ABE5E4D2EF09E20A378991076D387026485D64,'3575ccda-6ad3-4437-aa57-a0cd238edb9e','forget',1,0x8482D856B9CC9B10EB5854A59937D66F5C5D5995DB39FC4615FD5252B47AD143,13,1795126641291572,44,44,'{\"chunks\":0,\"messages\":1,\"facts\":0,\"summaries\":0,\"derived\":0,\"documents\":0,\"versions\":0,\"threads\":1,\"receipts\":0,\"helpers\":0,\"categories\":0,\"records\":0}',NULL);
INSERT INTO `operations` VALUES (1,0xBD0C75E2A87C3CA496C20BF8AD9398E509FB16A2E3B20DDE1B964F4D0AD8C41B,0xBD0C75E2A87C3CA496C20BF8AD9398E509FB16A2E3B20DDE1B964F4D0AD8C41B,'e63f80b2-ba86-49ba-bc3e-b48e71468f52','remember',1,NULL,12,1795126641278239,42,44,'{\"first_item_id\":43,\"messages\":1}',NULL);
INSERT INTO `operations` VALUES (1,0xDA894C4EC79183DECF7DDA8DA80D4A277A1D6E01DD1BF5FC5EF7CC144C0320D4,0xDA894C4EC79183DECF7DDA8DA80D4A277A1D6E01DD1BF5FC5EF7CC144C0320D4,'a2ea627b-1f62-4f1c-83dc-5924f3217786','remember',1,0xC8117E3C9941C90E0889724B59B7E636D3E2055E2446D34948FB959D2F4E4EF5,9,1795126641201611,38,40,'{\"first_item_id\":39,\"messages\":1}',NULL);
INSERT INTO `operations` VALUES (1,0xFA9C1E24670CCA1F8AA5F6A9FC75772B5ECAD54EEBF79D06C9AFA0AED16EC6FA,0xA560B8B3BA84E981EA76AF367F5245D6EFC95A2F25DE5A9506608E976376829C,'2cf93724-955c-4889-8a8f-e671490fa0cc/cd27c75cc2a1f96e','classify',1,0xA48C72086B15CCB3B2DDAC09851AE3768AB4E7249218D7461E366E876A442B8F,8,1795126641174862,38,38,'{\"chunks\":1}',NULL);
INSERT INTO `operations` VALUES (1,0xFF18B11E173352D597BFECD862730717A5282B19523BB06B08B2164014DA9B98,0xFF18B11E173352D597BFECD862730717A5282B19523BB06B08B2164014DA9B98,'e67a357c-182f-43fd-b2b1-00551fe13997','remember',1,0x91F8BD9DA7BEEAAF62267D0F28926872EAF4608D04B57B11B82469CCA6BAC281,11,1795126641251978,41,42,'{\"first_item_id\":41,\"messages\":1}',NULL);
/*!40000 ALTER TABLE `operations` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `queue`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `queue` (
  `id` bigint(20) NOT NULL,
  `turn` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `queue` WRITE;
/*!40000 ALTER TABLE `queue` DISABLE KEYS */;
INSERT INTO `queue` VALUES (1,0);
/*!40000 ALTER TABLE `queue` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `queues`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `queues` (
  `space_id` bigint(20) NOT NULL,
  `kind` bigint(20) NOT NULL,
  `last_turn` bigint(20) NOT NULL,
  `due_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`space_id`,`kind`),
  KEY `queues_by_turn` (`last_turn`,`space_id`),
  KEY `queues_by_due` (`kind`,`due_at`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `queues` WRITE;
/*!40000 ALTER TABLE `queues` DISABLE KEYS */;
/*!40000 ALTER TABLE `queues` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `receipt_sources`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `receipt_sources` (
  `space_id` bigint(20) NOT NULL,
  `receipt_hash` varbinary(32) NOT NULL,
  `source_hash` varbinary(32) NOT NULL,
  `source_id` bigint(20) NOT NULL,
  `body` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`space_id`,`receipt_hash`,`source_hash`,`source_id`),
  KEY `receipt_sources_by_item` (`source_hash`,`source_id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `receipt_sources` WRITE;
/*!40000 ALTER TABLE `receipt_sources` DISABLE KEYS */;
INSERT INTO `receipt_sources` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,3,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,7,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,11,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,15,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,37,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,39,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,41,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,44,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,45,NULL);
/*!40000 ALTER TABLE `receipt_sources` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `receipts`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `receipts` (
  `space_id` bigint(20) NOT NULL,
  `receipt_hash` varbinary(32) NOT NULL,
  `made_at` bigint(20) NOT NULL,
  `body` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`space_id`,`receipt_hash`),
  KEY `receipts_by_time` (`space_id`,`made_at`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `receipts` WRITE;
/*!40000 ALTER TABLE `receipts` DISABLE KEYS */;
INSERT INTO `receipts` VALUES (1,0x6B49EF8288BA7301CA7D3383F28DEAB17277274E2A86B4F279A1ADD5EF298DC6,1795126641472078,'{\"format\":4,\"engine\":\"0.1.0\",\"made_at\":\"2026-11-19T22:17:21.472078Z\",\"query\":\"how many flashes does the lamp show\",\"session_id\":null,\"asked_at\":\"2026-11-19T22:17:21.472078Z\",\"as_of\":null,\"spaces\":[\"user:default\"],\"revisions\":[18],\"settings\":{\"top_k\":8,\"clip_sentences\":2,\"excerpts\":\"fill\",\"max_tokens\":1500,\"budget_covers\":\"text\",\"search_type\":\"hybrid\",\"min_score\":0.3,\"enable_redaction\":false,\"custom_redaction_patterns\":[],\"interleaving\":{\"strategy\":\"alternate\"}},\"redaction\":[],\"tokenizer\":\"o200k_base\",\"template\":\"## Relevant Context from Previous Conversations\\n\\n### Previous Messages\\n[{time}] {who}: {content}\\n\\n### Known Facts\\n- {content} (confidence: {score})\\n\\n### Conversation Summaries\\n- {content}\\n\\n### Documents\\nFrom {document}:\\n- {content}{place}\\n\\n_Retrieved {count} memories_\\n\",\"memories\":[{\"collection\":\"user:default\",\"item_id\":45,\"item_sha256\":\"5a9eecca61fee2ee6835159e0237bd3e190a8d9cf5f541e763171f0d163b40df\",\"score\":0.7783378426426781,\"original_length\":29,\"span\":{\"start\":0,\"end\":29,\"is_late\":false,\"is_cut\":false}},{\"collection\":\"user:default\",\"item_id\":44,\"item_sha256\":\"cb48918ebb9efb46b3b6d754fa31c6d2da79c0cda4f110ee4bd1a381e2c352b0\",\"score\":0.422319281391218,\"original_length\":35,\"span\":{\"start\":0,\"end\":35,\"is_late\":false,\"is_cut\":false}},{\"collection\":\"user:default\",\"item_id\":37,\"item_sha256\":\"f04420a0484ccd8947fda1761643be34e5cb421d9f79e7941d6f24d4ff0cb02d\",\"score\":0.43195149119101905,\"original_length\":982,\"span\":{\"start\":0,\"end\":981,\"is_late\":false,\"is_cut\":false}},{\"collection\":\"user:default\",\"item_id\":7,\"item_sha256\":\"11d7b58e6ead64a5f4caa08039a9496d45fd90784270f3cbcf9dd04cd650122a\",\"score\":0.43127275793701125,\"original_length\":356,\"span\":{\"start\":0,\"end\":356,\"is_late\":false,\"is_cut\":false}}],\"found\":[{\"collection\":\"user:default\",\"item_id\":45},{\"collection\":\"user:default\",\"item_id\":37},{\"collection\":\"user:default\",\"item_id\":7},{\"collection\":\"user:default\",\"item_id\":44},{\"collection\":\"user:default\",\"item_id\":15},{\"collection\":\"user:default\",\"item_id\":39},{\"collection\":\"user:default\",\"item_id\":11},{\"collection\":\"user:default\",\"item_id\":41},{\"collection\":\"user:default\",\"item_id\":3}],\"total_tokens\":321,\"memories_sha256\":\"cf6c9cb788b98a4fb00b82274f855185647bf8c48cd3d520bc9e20c0021c9517\",\"text_sha256\":\"6e8f5155130357d24f767cc76c8a73a18fe95323889551966e2e8f49f9dfaa1b\",\"trace\":{\"stages\":[{\"name\":\"question\",\"decisions\":[{\"subject\":\"how\",\"action\":\"dropped\",\"reason\":\"common_word\"},{\"subject\":\"many\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"looked up as mani or manyflash\"},{\"subject\":\"flashes\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"looked up as flash or manyflash\"},{\"subject\":\"does\",\"action\":\"dropped\",\"reason\":\"common_word\"},{\"subject\":\"the\",\"action\":\"dropped\",\"reason\":\"common_word\"},{\"subject\":\"lamp\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"looked up as lamp or lampshow\"},{\"subject\":\"show\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"looked up as show or lampshow\"}]},{\"name\":\"hybrid\",\"decisions\":[{\"subject\":\"many\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"user:default: in 0 items\"},{\"subject\":\"flashes\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"user:default: in 3 items\"},{\"subject\":\"lamp\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"user:default: in 5 items\"},{\"subject\":\"show\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"user:default: in 1 items\"},{\"subject\":\"user:default\",\"action\":\"kept\",\"reason\":\"candidates\",\"detail\":\"5 by words, 9 by meaning, 9 in total, 9 with a score\"}]},{\"name\":\"rank\",\"decisions\":[{\"subject\":\"user:default item 45\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 1, score 0.778338\"},{\"subject\":\"user:default item 37\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 2, score 0.431951\"},{\"subject\":\"user:default item 7\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 3, score 0.431273\"},{\"subject\":\"user:default item 44\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 4, score 0.422319\"},{\"subject\":\"user:default item 15\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 5, score 0.195736\"},{\"subject\":\"user:default item 39\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 6, score 0.099770\"},{\"subject\":\"user:default item 11\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 7, score 0.039157\"},{\"subject\":\"user:default item 41\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 8, score 0.036821\"},{\"subject\":\"user:default item 3\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 9, score 0.002235\"}]},{\"name\":\"gate\",\"decisions\":[{\"subject\":\"user:default item 15\",\"action\":\"dropped\",\"reason\":\"min_score\",\"detail\":\"score 0.1957 is below 0.3\"},{\"subject\":\"user:default item 39\",\"action\":\"dropped\",\"reason\":\"min_score\",\"detail\":\"score 0.0998 is below 0.3\"},{\"subject\":\"user:default item 11\",\"action\":\"dropped\",\"reason\":\"min_score\",\"detail\":\"score 0.0392 is below 0.3\"},{\"subject\":\"user:default item 41\",\"action\":\"dropped\",\"reason\":\"min_score\",\"detail\":\"score 0.0368 is below 0.3\"},{\"subject\":\"user:default item 3\",\"action\":\"dropped\",\"reason\":\"min_score\",\"detail\":\"score 0.0022 is below 0.3\"},{\"subject\":\"4 passages\",\"action\":\"kept\",\"reason\":\"min_score\",\"detail\":\"scores of at least 0.3\"}]},{\"name\":\"deduplicate\",\"decisions\":[]},{\"name\":\"top_k\",\"decisions\":[]},{\"name\":\"interleave\",\"decisions\":[{\"subject\":\"user:default item 45\",\"action\":\"kept\",\"reason\":\"relevance\",\"detail\":\"place 1, score 0.7783\"},{\"subject\":\"user:default item 44\",\"action\":\"kept\",\"reason\":\"recency\",\"detail\":\"place 2, from 2026-11-19T22:17:21.354529Z\"},{\"subject\":\"user:default item 37\",\"action\":\"kept\",\"reason\":\"relevance\",\"detail\":\"place 3, score 0.4320\"},{\"subject\":\"user:default item 7\",\"action\":\"kept\",\"reason\":\"recency\",\"detail\":\"place 4, from 2026-11-19T22:17:18.092836Z\"}]},{\"name\":\"clip\",\"decisions\":[]},{\"name\":\"budget\",\"decisions\":[{\"subject\":\"user:default item 45\",\"action\":\"kept\",\"reason\":\"fits\",\"detail\":\"6 tokens, 6 in total\"},{\"subject\":\"user:default item 44\",\"action\":\"kept\",\"reason\":\"fits\",\"detail\":\"8 tokens, 14 in total\"},{\"subject\":\"user:default item 37\",\"action\":\"kept\",\"reason\":\"fits\",\"detail\":\"216 tokens, 230 in total\"},{\"subject\":\"user:default item 7\",\"action\":\"kept\",\"reason\":\"fits\",\"detail\":\"91 tokens, 321 in total\"}]}]}}');
/*!40000 ALTER TABLE `receipts` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `recordar_schema`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `recordar_schema` (
  `version` bigint(20) NOT NULL,
  `name` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`version`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `recordar_schema` WRITE;
/*!40000 ALTER TABLE `recordar_schema` DISABLE KEYS */;
INSERT INTO `recordar_schema` VALUES (1,'spine');
INSERT INTO `recordar_schema` VALUES (2,'index');
INSERT INTO `recordar_schema` VALUES (3,'receipts');
INSERT INTO `recordar_schema` VALUES (4,'spending');
INSERT INTO `recordar_schema` VALUES (5,'tree');
INSERT INTO `recordar_schema` VALUES (6,'conversation');
INSERT INTO `recordar_schema` VALUES (7,'documents');
INSERT INTO `recordar_schema` VALUES (8,'collections');
INSERT INTO `recordar_schema` VALUES (9,'vectors');
INSERT INTO `recordar_schema` VALUES (10,'facts');
INSERT INTO `recordar_schema` VALUES (11,'compose');
INSERT INTO `recordar_schema` VALUES (12,'keys');
INSERT INTO `recordar_schema` VALUES (13,'living_facts');
/*!40000 ALTER TABLE `recordar_schema` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `records`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `records` (
  `space_id` bigint(20) NOT NULL,
  `bucket_hash` varbinary(32) NOT NULL,
  `name` varbinary(1024) NOT NULL,
  `part` bigint(20) NOT NULL,
  `bytes` bigint(20) NOT NULL,
  `content` longblob NOT NULL,
  `born` bigint(20) NOT NULL,
  `position` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`bucket_hash`,`name`,`part`),
  KEY `records_by_age` (`space_id`,`bucket_hash`,`part`,`born`,`position`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `records` WRITE;
/*!40000 ALTER TABLE `records` DISABLE KEYS */;
/*!40000 ALTER TABLE `records` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `reservations`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `reservations` (
  `reservation` varbinary(32) NOT NULL,
  `day` bigint(20) NOT NULL,
  `tokens` bigint(20) NOT NULL,
  `nano_usd` bigint(20) NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  `account` varbinary(1024) DEFAULT NULL,
  PRIMARY KEY (`reservation`),
  KEY `reservations_by_day` (`day`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `reservations` WRITE;
/*!40000 ALTER TABLE `reservations` DISABLE KEYS */;
/*!40000 ALTER TABLE `reservations` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `roots`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `roots` (
  `space_id` bigint(20) NOT NULL,
  `collection_hash` varbinary(32) NOT NULL,
  `machine_hash` varbinary(32) NOT NULL,
  `born` bigint(20) NOT NULL,
  `collection` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `machine` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `root` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `retired` bigint(20) DEFAULT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`collection_hash`,`machine_hash`,`born`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `roots` WRITE;
/*!40000 ALTER TABLE `roots` DISABLE KEYS */;
INSERT INTO `roots` VALUES (1,0xB4128DF29F3726B470DCC4B138FEC23A39A7A2B8483BCA2A2FA4B0C38931F9EB,0xB370DE14E94142D4A108A79DF6D0E265A0BA3FA2E10F57C4B3A892B74C9F84AA,1,'handbook','lighthouse','/srv/recordar-saved/handbook',NULL,1);
/*!40000 ALTER TABLE `roots` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `segments`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `segments` (
  `space_id` bigint(20) NOT NULL,
  `model_hash` varbinary(32) NOT NULL,
  `first_id` bigint(20) NOT NULL,
  `end_id` bigint(20) NOT NULL,
  `part` bigint(20) NOT NULL,
  `revision` bigint(20) NOT NULL,
  `model` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `dimension` bigint(20) NOT NULL,
  `content` longblob NOT NULL,
  PRIMARY KEY (`space_id`,`model_hash`,`first_id`,`end_id`,`part`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `segments` WRITE;
/*!40000 ALTER TABLE `segments` DISABLE KEYS */;
/*!40000 ALTER TABLE `segments` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `spaces`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `spaces` (
  `space_id` bigint(20) NOT NULL,
  `name_hash` varbinary(32) NOT NULL,
  `name` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `incarnation` bigint(20) NOT NULL,
  `next_id` bigint(20) NOT NULL,
  `revision` bigint(20) NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`),
  UNIQUE KEY `name_hash` (`name_hash`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `spaces` WRITE;
/*!40000 ALTER TABLE `spaces` DISABLE KEYS */;
INSERT INTO `spaces` VALUES (1,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,'user:default',1,46,18,1795126641460210,1795126641056495);
/*!40000 ALTER TABLE `spaces` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `spending`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `spending` (
  `day` bigint(20) NOT NULL,
  `calls` bigint(20) NOT NULL,
  `tokens` bigint(20) NOT NULL,
  `nano_usd` bigint(20) NOT NULL,
  PRIMARY KEY (`day`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `spending` WRITE;
/*!40000 ALTER TABLE `spending` DISABLE KEYS */;
/*!40000 ALTER TABLE `spending` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `standing_texts`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `standing_texts` (
  `space_id` bigint(20) NOT NULL,
  `kind` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `number` bigint(20) NOT NULL,
  `content` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`kind`,`born`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `standing_texts` WRITE;
/*!40000 ALTER TABLE `standing_texts` DISABLE KEYS */;
INSERT INTO `standing_texts` VALUES (1,1,14,1,'Keep the light burning.',14);
/*!40000 ALTER TABLE `standing_texts` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `store`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `store` (
  `id` bigint(20) NOT NULL,
  `next_space_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `store` WRITE;
/*!40000 ALTER TABLE `store` DISABLE KEYS */;
INSERT INTO `store` VALUES (1,2);
/*!40000 ALTER TABLE `store` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `threads`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `threads` (
  `space_id` bigint(20) NOT NULL,
  `thread_id` bigint(20) NOT NULL,
  `name_hash` varbinary(32) NOT NULL,
  `name` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `title` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `born` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`thread_id`),
  UNIQUE KEY `space_id` (`space_id`,`name_hash`),
  KEY `threads_by_change` (`space_id`,`changed`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `threads` WRITE;
/*!40000 ALTER TABLE `threads` DISABLE KEYS */;
INSERT INTO `threads` VALUES (1,38,0x3DC548D7CDB8D1638E664F7EB425D7EC7972254E0C2EB4B138863D17CA937BA9,'supplies','Supplies',9,9);
/*!40000 ALTER TABLE `threads` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `tombstones`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tombstones` (
  `space_id` bigint(20) NOT NULL,
  `id` bigint(20) NOT NULL,
  `kind` bigint(20) NOT NULL,
  `revision` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`id`),
  KEY `tombstones_by_revision` (`space_id`,`revision`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `tombstones` WRITE;
/*!40000 ALTER TABLE `tombstones` DISABLE KEYS */;
INSERT INTO `tombstones` VALUES (1,42,12,13);
INSERT INTO `tombstones` VALUES (1,43,2,13);
/*!40000 ALTER TABLE `tombstones` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `trees`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `trees` (
  `space_id` bigint(20) NOT NULL,
  `depth` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`),
  UNIQUE KEY `space_id` (`space_id`,`depth`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`depth` >= 1 and `depth` <= 100)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `trees` WRITE;
/*!40000 ALTER TABLE `trees` DISABLE KEYS */;
INSERT INTO `trees` VALUES (1,3);
/*!40000 ALTER TABLE `trees` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `uses`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `uses` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `uses` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`),
  KEY `uses_by_change` (`space_id`,`changed`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `uses` WRITE;
/*!40000 ALTER TABLE `uses` DISABLE KEYS */;
/*!40000 ALTER TABLE `uses` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `vectors`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `vectors` (
  `space_id` bigint(20) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `model_hash` varbinary(32) NOT NULL,
  `text_hash` varbinary(32) NOT NULL,
  `model` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `dimension` bigint(20) NOT NULL,
  `content` longblob NOT NULL,
  PRIMARY KEY (`space_id`,`item_id`,`model_hash`),
  KEY `vectors_by_text` (`space_id`,`model_hash`,`text_hash`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `vectors` WRITE;
/*!40000 ALTER TABLE `vectors` DISABLE KEYS */;
/*!40000 ALTER TABLE `vectors` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `versions`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `versions` (
  `space_id` bigint(20) NOT NULL,
  `version_id` bigint(20) NOT NULL,
  `document_id` bigint(20) NOT NULL,
  `number` bigint(20) NOT NULL,
  `sha256` varbinary(32) NOT NULL,
  `bytes` bigint(20) NOT NULL,
  `chars` bigint(20) NOT NULL,
  `mtime` bigint(20) DEFAULT NULL,
  `file_type` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `tags` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `topic` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `note` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `provider` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `metadata` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `chunking` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `tokenizer` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `chunks` bigint(20) NOT NULL,
  `tokens` bigint(20) NOT NULL,
  `forgotten` bigint(20) NOT NULL,
  `ingested_at` bigint(20) NOT NULL,
  `born` bigint(20) NOT NULL,
  `retired` bigint(20) DEFAULT NULL,
  `changed` bigint(20) NOT NULL,
  `root` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `path` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `name_hash` varbinary(32) DEFAULT NULL,
  `name` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`space_id`,`version_id`),
  UNIQUE KEY `space_id` (`space_id`,`document_id`,`number`),
  KEY `versions_by_change` (`space_id`,`changed`),
  KEY `versions_by_name` (`space_id`,`name_hash`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `versions` WRITE;
/*!40000 ALTER TABLE `versions` DISABLE KEYS */;
INSERT INTO `versions` VALUES (1,2,1,1,0xB3DCDD9F3878C0D35E5CFA8585D2DA20CE515CE44434D76547BD105AC6F3C2D5,385,385,1795126638092800,'json','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,120,0,1795126641056495,1,NULL,1,'/srv/recordar-saved/handbook','/srv/recordar-saved/handbook/contacts.json',0xD46BB07817FBEC4F0DD4C52430BA6B5D43229EB798BB8DB793C0D6AFF52F0E50,'contacts.json');
INSERT INTO `versions` VALUES (1,6,5,1,0x7D39DEBA00D20B602294FDC35C3E34E0E7B5D940270968281C4A0FB6FCDF4B70,357,356,1795126638092836,'yaml','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,92,0,1795126641080400,2,NULL,2,'/srv/recordar-saved/handbook','/srv/recordar-saved/handbook/duties.yaml',0x1B789D3C51AC2555C5A89EB28608A8E090C42806CE6A82D9BEC9F62EABDB12F0,'duties.yaml');
INSERT INTO `versions` VALUES (1,10,9,1,0x211B53FEBBF8954369DC6F20B40E4406122D1E81F1CE0BBA1E39258BF47CAF43,368,368,1795126638092887,'markdown','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,92,0,1795126641083533,3,NULL,3,'/srv/recordar-saved/handbook','/srv/recordar-saved/handbook/recipes/fish-soup.md',0xB38131029B6A6B6C9E47B589617BE6E4C8CF803004008CED8A92D22F752C3663,'recipes/fish-soup.md');
INSERT INTO `versions` VALUES (1,14,13,1,0x45D4EFF2766717520C6AA344AACB2633040DA3CA68FB9ABD474A61CDC78E5975,563,563,1795126638092911,'text','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,131,0,1795126641089230,4,NULL,4,'/srv/recordar-saved/handbook','/srv/recordar-saved/handbook/weather.txt',0x6A045572DB0DE1B2C3AB85C1566D593C3E3987AFBCD6DC840073E76A0C5092BB,'weather.txt');
INSERT INTO `versions` VALUES (1,18,17,1,0x207A1E322B69A34E5A595A1730C38B54F444112673AD58475CC3B0883C2B2279,980,980,1795126638092928,'markdown','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,216,0,1795126641092751,5,7,7,'/srv/recordar-saved/handbook','/srv/recordar-saved/handbook/welcome.md',0x59C4C3863ECB780D947F33AA594DFD2A02D83F18B6602F9E4F9F640BB621EDD9,'welcome.md');
INSERT INTO `versions` VALUES (1,36,17,2,0x2D2C2C93987D4B2DD8C1AA145C3C37423DB1E9BFD9A518EF917D3D5B700D678F,982,982,1795126641116849,'markdown','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,216,0,1795126641168734,7,NULL,7,'/srv/recordar-saved/handbook','/srv/recordar-saved/handbook/welcome.md',0x59C4C3863ECB780D947F33AA594DFD2A02D83F18B6602F9E4F9F640BB621EDD9,'welcome.md');
/*!40000 ALTER TABLE `versions` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `vocabularies`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `vocabularies` (
  `number` bigint(20) NOT NULL,
  `version` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `body` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `action` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `kind` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `term` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `undoes` bigint(20) DEFAULT NULL,
  `pending` bigint(20) NOT NULL,
  `made_at` bigint(20) NOT NULL,
  PRIMARY KEY (`number`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `vocabularies` WRITE;
/*!40000 ALTER TABLE `vocabularies` DISABLE KEYS */;
/*!40000 ALTER TABLE `vocabularies` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

