
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
INSERT INTO `categories` VALUES (1,4,NULL,NULL,0,1,3,0,0xDCD1D5223F73B3A965C07E3FF5DBEE3EEDCFEDB806686A05B9B3868A2C3D6D50,'Name',1,1);
INSERT INTO `categories` VALUES (1,5,4,1,4,2,3,0,0x31A4DCC88FF5E71E9E0A17E58E7451DF1FB1B7ED7192A27D8A04721F12F7900B,'Cooperativa',1,1);
INSERT INTO `categories` VALUES (1,6,5,2,5,3,3,1,0xA56625BB2369B0F299E9F150FBEDACBC1605073862512A93EAE85DE182012790,'Before Cooperative',1,1);
INSERT INTO `categories` VALUES (1,11,NULL,NULL,0,1,3,0,0x21E8492938ABC179410C21F3598F141C4C59A8BF2D3B4E475B7D83E10ADFC00F,'Hours',2,2);
INSERT INTO `categories` VALUES (1,12,11,1,11,2,3,0,0xA71E757324467CCFE2AE90F483FD759EFF5378E6AFCFCCE4C620DE929B3F2DD8,'Watch',2,2);
INSERT INTO `categories` VALUES (1,13,12,2,12,3,3,1,0xE2A222376DBAD9E34193CBBCB1F9FC9A4445EF1375A451D28AA10A42C4E001AD,'Midnight Lamp',2,2);
INSERT INTO `categories` VALUES (1,18,NULL,NULL,0,1,3,0,0xEE127F46DA9C6053957ED11DC56DA7083CA52D0D479DF67A3DDA2FFFC7BD4BD5,'Soup',3,3);
INSERT INTO `categories` VALUES (1,19,18,1,18,2,3,0,0x5870F9BFD157BD7EF0571F07B16A533D02BFAC9265AFD50380265CB75D3CAC58,'Storm',3,3);
INSERT INTO `categories` VALUES (1,20,19,2,19,3,3,1,0x430AAACF73AC7A1513AB06B60144C5367A79AB5FAEE6DF37E6E2DE412AE7CEA7,'Fish Cook',3,3);
INSERT INTO `categories` VALUES (1,25,11,1,11,2,3,0,0x5870F9BFD157BD7EF0571F07B16A533D02BFAC9265AFD50380265CB75D3CAC58,'Storm',4,4);
INSERT INTO `categories` VALUES (1,26,25,2,25,3,3,1,0xA73601736352BA919917BA783DFA19D803E97A5AC3170C17498511401993A0EA,'Sky Day',4,4);
INSERT INTO `categories` VALUES (1,31,NULL,NULL,0,1,3,0,0xBC294628171A12E7BC7AD6CA19D8E7956F9106628EB927E52FE92A6C31742E31,'Lamp',5,5);
INSERT INTO `categories` VALUES (1,32,31,1,31,2,3,0,0x68BD571FCC5B8DDCB367ADBABBC129686FE8D9F29E106F8068FF1B9FBAD3D097,'Lighthouse',5,5);
INSERT INTO `categories` VALUES (1,33,32,2,32,3,3,1,0x99404AC562BD4DD48A7CDDCA3502B140BF0FA25FB6ACD268CA86901FCCFDA783,'Keepers Rhythm',5,5);
/*!40000 ALTER TABLE `categories` ENABLE KEYS */;
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
  PRIMARY KEY (`space_id`,`document_id`),
  UNIQUE KEY `space_id` (`space_id`,`path_hash`),
  KEY `documents_by_change` (`space_id`,`changed`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `documents` WRITE;
/*!40000 ALTER TABLE `documents` DISABLE KEYS */;
INSERT INTO `documents` VALUES (1,1,0xD4BF25275DBB7C2D2C3F601C103092B09354A27DAB7A2ED5385E16627672149D,'/srv/recordar-saved/handbook/contacts.json','contacts.json',1,1);
INSERT INTO `documents` VALUES (1,8,0x79C526D38D3DA78544EA75E45ADEFD3317A41C27F2E396B471212026D6663703,'/srv/recordar-saved/handbook/duties.yaml','duties.yaml',2,2);
INSERT INTO `documents` VALUES (1,15,0x97010CED6D0138AB25790383936A92EC8205414D05E9C7217D2AEFFCBF7801D9,'/srv/recordar-saved/handbook/recipes/fish-soup.md','fish-soup.md',3,3);
INSERT INTO `documents` VALUES (1,22,0x2656C8B5D8D5320475DD709587D99A977B0190A10FD18EDD3C465561F1A09F71,'/srv/recordar-saved/handbook/weather.txt','weather.txt',4,4);
INSERT INTO `documents` VALUES (1,28,0xD47C4613C06537FF7BD324AEFC20E2DE5E245262A25FA0FD06912878A2200BD2,'/srv/recordar-saved/handbook/welcome.md','welcome.md',5,6);
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
  PRIMARY KEY (`number`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `embedders` WRITE;
/*!40000 ALTER TABLE `embedders` DISABLE KEYS */;
/*!40000 ALTER TABLE `embedders` ENABLE KEYS */;
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
INSERT INTO `helpers` VALUES (1,7,1,1,1,'Topic: keeping the light. { \"harbour_office\": { \"name\": \"Marisol Ibarra\", \"phone\": \"extension 14\", \"hours\": \"Monday to Friday, 8 to 15\" }, \"coast_guard\": { \"channel\": 16, \"call_sign\": \"Punta Clara Radio\", \"note\": \"Report the light being out within ten minutes.\" }, \"cooperative\": { \"name\": \"Cooperativa Las Gaviotas\", \"order_before\": \"the Friday before the boat\" } }.',112,1794829526828106,1,NULL,1);
INSERT INTO `helpers` VALUES (1,14,8,1,1,'Topic: keeping the light. - keeper: Ana hours: sunset to midnight duties: - light the lamp - count the flashes at ten - keeper: Tomás hours: midnight to sunrise duties: - trim the lamp at three - write the log weekly: monday: clean the lens wednesday: test the fog signal saturday: run the spare generator for twenty minutes.',73,1794829526857732,2,NULL,2);
INSERT INTO `helpers` VALUES (1,21,15,1,1,'Topic: keeping the light. For two keepers and one guest.',14,1794829526864436,3,NULL,3);
INSERT INTO `helpers` VALUES (1,27,22,1,1,'Topic: keeping the light. How to read the sky at Punta Clara.',15,1794829526869458,4,NULL,4);
INSERT INTO `helpers` VALUES (1,34,28,1,1,'Topic: keeping the light. Everything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end, and then keep it beside the lamp.',40,1794829526876539,5,NULL,5);
/*!40000 ALTER TABLE `helpers` ENABLE KEYS */;
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
  PRIMARY KEY (`space_id`,`item_id`),
  KEY `space_id` (`space_id`,`category_id`,`category_leaf`),
  KEY `items_by_change` (`space_id`,`changed`),
  KEY `items_by_version` (`space_id`,`version_id`),
  KEY `items_by_thread` (`space_id`,`thread_id`),
  KEY `items_by_retirement` (`space_id`,`retired`),
  KEY `items_by_leaf` (`space_id`,`category_id`,`kind`,`retired`,`recorded_at`,`item_id`),
  CONSTRAINT `items_ibfk_1` FOREIGN KEY (`space_id`, `category_id`, `category_leaf`) REFERENCES `categories` (`space_id`, `category_id`, `leaf`),
  CONSTRAINT `CONSTRAINT_1` CHECK (`category_id` is null and `category_leaf` is null or `category_id` is not null and `category_leaf` is not null and `category_leaf` = 1 and `kind` = 1)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `items` WRITE;
/*!40000 ALTER TABLE `items` DISABLE KEYS */;
INSERT INTO `items` VALUES (1,3,1,1,2,NULL,0,0,NULL,NULL,NULL,'{\n  \"harbour_office\": {\n    \"name\": \"Marisol Ibarra\",\n    \"phone\": \"extension 14\",\n    \"hours\": \"Monday to Friday, 8 to 15\"\n  },\n  \"coast_guard\": {\n    \"channel\": 16,\n    \"call_sign\": \"Punta Clara Radio\",\n    \"note\": \"Report the light being out within ten minutes.\"\n  },\n  \"cooperative\": {\n    \"name\": \"Cooperativa Las Gaviotas\",\n    \"order_before\": \"the Friday before the boat\"\n  }\n}\n',120,NULL,NULL,1794829526634340,1794829526828106,6,1,1,NULL,1,NULL);
INSERT INTO `items` VALUES (1,10,1,8,9,NULL,0,0,'watch',NULL,NULL,'watch:\n  - keeper: Ana\n    hours: sunset to midnight\n    duties:\n      - light the lamp\n      - count the flashes at ten\n  - keeper: Tomás\n    hours: midnight to sunrise\n    duties:\n      - trim the lamp at three\n      - write the log\nweekly:\n  monday: clean the lens\n  wednesday: test the fog signal\n  saturday: run the spare generator for twenty minutes\n',92,NULL,NULL,1794829526634376,1794829526857732,13,1,2,NULL,2,NULL);
INSERT INTO `items` VALUES (1,17,1,15,16,NULL,0,0,'Fish soup for a storm',NULL,NULL,'# Fish soup for a storm\n\nFor two keepers and one guest.\n\n1. Fry an onion and two cloves of garlic in oil until they are soft.\n2. Add three potatoes in pieces and a litre of water, and let it cook for a quarter of an hour.\n3. Add whatever the day gave, cleaned and cut, and a spoon of paprika. Ten minutes more.\n\nIt keeps for two days, which is as long as most storms.\n',92,NULL,NULL,1794829526634403,1794829526864436,20,1,3,NULL,3,NULL);
INSERT INTO `items` VALUES (1,24,1,22,23,NULL,0,0,NULL,NULL,NULL,'How to read the sky at Punta Clara.\n\nA red sky in the evening over the mainland means a dry day tomorrow. Thin high clouds from the south-west that thicken\nbefore noon mean rain within a day. When the gulls stay on land, so does the boat.\n\nThe barometer in the kitchen reads three millibars too low. If it falls by more than six in three hours, close the shutters\non the west side, fasten the boat with the second rope, and fill the lamp for two nights.\n\nSwell without wind comes from a storm that is still far away. It arrives about a day before the storm does.\n',131,NULL,NULL,1794829526634418,1794829526869458,26,1,4,NULL,4,NULL);
INSERT INTO `items` VALUES (1,30,1,28,29,NULL,0,0,'The lighthouse keepers\' handbook',NULL,NULL,'# The lighthouse keepers\' handbook\n\nEverything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end,\nand then keep it beside the lamp.\n\n## The lamp\n\nThe lamp is lit half an hour before sunset and put out half an hour after sunrise. Its rhythm is two flashes every\nfifteen seconds. If the rhythm changes, ships believe they are somewhere else; nothing that a keeper does is more important\nthan the rhythm.\n\nThe lens is cleaned with the soft cloth from the blue drawer and nothing else. Spirits make it blind.\n\n## The fog signal\n\nWhen the island of Las Gaviotas can no longer be seen, start the fog signal: one blast of four seconds each minute. Write\nthe beginning and the end into the log, with the wind.\n\n## Supplies\n\nThe boat comes on the first and the third Tuesday of the month, weather permitting. Order lamp parts from Marisol at the\nharbour office, and food from the cooperative. Keep water for at least twenty days.\n',216,NULL,NULL,1794829526634435,1794829526876539,33,1,5,6,6,NULL);
INSERT INTO `items` VALUES (1,36,1,28,35,NULL,0,0,'The lighthouse keepers\' handbook',NULL,NULL,'# The lighthouse keepers\' handbook\n\nEverything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end,\nand then keep it beside the lamp.\n\n## The lamp\n\nThe lamp is lit half an hour before sunset and put out half an hour after sunrise. Its rhythm is three flashes every\nfifteen seconds. If the rhythm changes, ships believe they are somewhere else; nothing that a keeper does is more important\nthan the rhythm.\n\nThe lens is cleaned with the soft cloth from the blue drawer and nothing else. Spirits make it blind.\n\n## The fog signal\n\nWhen the island of Las Gaviotas can no longer be seen, start the fog signal: one blast of four seconds each minute. Write\nthe beginning and the end into the log, with the wind.\n\n## Supplies\n\nThe boat comes on the first and the third Tuesday of the month, weather permitting. Order lamp parts from Marisol at the\nharbour office, and food from the cooperative. Keep water for at least twenty days.\n',216,NULL,NULL,1794829526887604,1794829526916292,33,1,6,NULL,6,NULL);
INSERT INTO `items` VALUES (1,38,2,NULL,NULL,37,0,0,NULL,'user',NULL,'The new lens arrives with the boat on the third Tuesday.',12,800000,NULL,1794829526954059,1794829526954059,NULL,NULL,7,NULL,7,'Ada');
INSERT INTO `items` VALUES (1,41,3,NULL,NULL,NULL,0,0,NULL,'user',NULL,'The lamp shows three flashes.',6,NULL,NULL,1794829527076370,1794829527076370,NULL,NULL,10,NULL,10,NULL);
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
INSERT INTO `labels` VALUES (1,38,7,'[\"general_inquiry\"]','conversation','statement','[]',800000,1,NULL,NULL,NULL,NULL,'2024-01-15','built-in',NULL,NULL,7);
INSERT INTO `labels` VALUES (1,41,10,'[\"general_inquiry\"]','conversation','statement','[]',500000,1,NULL,NULL,NULL,NULL,'2024-01-15','built-in',NULL,NULL,10);
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
INSERT INTO `lineage` VALUES (1,41,3);
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
INSERT INTO `operations` VALUES (1,0x0429C84F832DE5EE5C4700274857F7CC45241C3E28D6E24308BD574B4424111B,0x307CAE7E483768C8D5DDE8744856B14A5233F4B7384249850F8BD880FEFDCD82,'8d6c64a5-15b9-4137-811b-ca1ffa86172d/6bda50f11e092764','ingest',1,0x13CEFCA66DA085E64333A1D2D10703D95A5F51B3FBAEB8A3EEAA7B24D2800038,5,1794829526876539,28,35,'{\"status\":\"added\",\"document_id\":28,\"version_id\":29,\"version\":1,\"chunks\":1,\"tokens\":216,\"retired_chunks\":0,\"classified\":1}',NULL);
INSERT INTO `operations` VALUES (1,0x1813FE29E011961E3E38FB6005A53799B29E20410B4F54F88AD2E3B6C4608A8D,0x1813FE29E011961E3E38FB6005A53799B29E20410B4F54F88AD2E3B6C4608A8D,'fb5f4f1d-5a79-4cc8-9d50-63f60c6e3ab2','remember',1,NULL,8,1794829526982314,39,41,'{\"first_item_id\":40,\"messages\":1}',NULL);
INSERT INTO `operations` VALUES (1,0x19D4C791189E9A15B05B5289BA34FE917C7465A35D290DDF9BB35D67353304C7,0x19D4C791189E9A15B05B5289BA34FE917C7465A35D290DDF9BB35D67353304C7,'677eb125-5f28-45cc-9fe7-599bc9351269','remember',1,0xB04CF9381B16AE90C9C54385326A3DE81FD2C94F2DA26712D5631F6BD8A37707,10,1794829527076370,41,42,'{\"first_item_id\":41,\"messages\":1}',NULL);
INSERT INTO `operations` VALUES (1,0x7C008BA88B1478EEB2244053A4FC6011B0CFB74EE480F50B408EF8B18F245DC7,0x521C19F01DC0333488491ACCBED12D9AF7D25347A862C9528E9515E8C6210B0D,'52348467-71fa-4bce-a2a7-62c4fe3dda46/9ea92341c5814588','ingest',1,0xC7348F41C938A6847B148CFE9AB0A394DC90FE5B2B0280F55CC2F60AAD4926EE,6,1794829526916292,35,37,'{\"status\":\"updated\",\"document_id\":28,\"version_id\":35,\"version\":2,\"chunks\":1,\"tokens\":216,\"retired_chunks\":1,\"classified\":1}',NULL);
INSERT INTO `operations` VALUES (1,0x97D38DB28DD9CAD9172DA3B812935F1E28C179042968EB757D653072BF8EC2C0,0x97D38DB28DD9CAD9172DA3B812935F1E28C179042968EB757D653072BF8EC2C0,'ddc8adc4-d266-4460-871d-c6d7ac51334f','forget',1,0x8482D856B9CC9B10EB5854A59937D66F5C5D5995DB39FC4615FD5252B47AD143,9,1794829527001379,41,41,'{\"chunks\":0,\"messages\":1,\"facts\":0,\"summaries\":0,\"derived\":0,\"documents\":0,\"versions\":0,\"threads\":1,\"receipts\":0,\"helpers\":0,\"categories\":0}',NULL);
INSERT INTO `operations` VALUES (1,0x9917D0A7F982B56284810FE5C288969186E3EAA945ED8528BCCABC2B2512CDDF,0x307CAE7E483768C8D5DDE8744856B14A5233F4B7384249850F8BD880FEFDCD82,'8d6c64a5-15b9-4137-811b-ca1ffa86172d/2a0a8682dd5048da','ingest',1,0xD7D4543318C1553528BC6DBDDBEBE3F34E0116B337E00F859ED67573F9F776BB,1,1794829526828106,1,8,'{\"status\":\"added\",\"document_id\":1,\"version_id\":2,\"version\":1,\"chunks\":1,\"tokens\":120,\"retired_chunks\":0,\"classified\":1}',NULL);
INSERT INTO `operations` VALUES (1,0xB650D6D774A09757909812E9914887452BB21F9AB457E0ADFCC1F20361240339,0x307CAE7E483768C8D5DDE8744856B14A5233F4B7384249850F8BD880FEFDCD82,'8d6c64a5-15b9-4137-811b-ca1ffa86172d/94d625dab33d04df','ingest',1,0x3C26028139A7E597E573D48AE2A196159897FA303A02F2E5BE8878FC688975A9,3,1794829526864436,15,22,'{\"status\":\"added\",\"document_id\":15,\"version_id\":16,\"version\":1,\"chunks\":1,\"tokens\":92,\"retired_chunks\":0,\"classified\":1}',NULL);
INSERT INTO `operations` VALUES (1,0xB7FCDE10A57F55030E7F5F6F14B5ABD1460D0E3A19A7E81B43516CD2BB5EF023,0xB7FCDE10A57F55030E7F5F6F14B5ABD1460D0E3A19A7E81B43516CD2BB5EF023,'465bff47-4fe8-436b-8a86-6bd6eb481933','remember',1,0xC8117E3C9941C90E0889724B59B7E636D3E2055E2446D34948FB959D2F4E4EF5,7,1794829526954059,37,39,'{\"first_item_id\":38,\"messages\":1}',NULL);
INSERT INTO `operations` VALUES (1,0xE939C59BBE464B29FF70A054335FFB82B47E15CB1D5A5D781CABED2E9B41B687,0x307CAE7E483768C8D5DDE8744856B14A5233F4B7384249850F8BD880FEFDCD82,'8d6c64a5-15b9-4137-811b-ca1ffa86172d/add5a407e4a9e349','ingest',1,0x9FFE772EBCAF0A8A5739A7FC317479994B721998E1A8E70540F8E4B92BE84701,2,1794829526857732,8,15,'{\"status\":\"added\",\"document_id\":8,\"version_id\":9,\"version\":1,\"chunks\":1,\"tokens\":92,\"retired_chunks\":0,\"classified\":1}',NULL);
INSERT INTO `operations` VALUES (1,0xF5EC16FF827285F46F8BB0FCC2D279A97B55456415F7579C41AE3D7F4E8F33A2,0x307CAE7E483768C8D5DDE8744856B14A5233F4B7384249850F8BD880FEFDCD82,'8d6c64a5-15b9-4137-811b-ca1ffa86172d/ec6ce3be59d3664a','ingest',1,0xD0687FDC81F2025A486B27FD755B185DAFBCA0957448591F0045669C47AFC8DA,4,1794829526869458,22,28,'{\"status\":\"added\",\"document_id\":22,\"version_id\":23,\"version\":1,\"chunks\":1,\"tokens\":131,\"retired_chunks\":0,\"classified\":1}',NULL);
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
INSERT INTO `receipt_sources` VALUES (1,0x4878D9C616B71F7CFB640A45DFD09A2F4A4882411FAEF0A854DDA55E2BE40A84,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,3,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x4878D9C616B71F7CFB640A45DFD09A2F4A4882411FAEF0A854DDA55E2BE40A84,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,10,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x4878D9C616B71F7CFB640A45DFD09A2F4A4882411FAEF0A854DDA55E2BE40A84,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,17,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x4878D9C616B71F7CFB640A45DFD09A2F4A4882411FAEF0A854DDA55E2BE40A84,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,24,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x4878D9C616B71F7CFB640A45DFD09A2F4A4882411FAEF0A854DDA55E2BE40A84,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,36,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x4878D9C616B71F7CFB640A45DFD09A2F4A4882411FAEF0A854DDA55E2BE40A84,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,38,NULL);
INSERT INTO `receipt_sources` VALUES (1,0x4878D9C616B71F7CFB640A45DFD09A2F4A4882411FAEF0A854DDA55E2BE40A84,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,41,NULL);
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
INSERT INTO `receipts` VALUES (1,0x4878D9C616B71F7CFB640A45DFD09A2F4A4882411FAEF0A854DDA55E2BE40A84,1794829527092271,'{\"format\":1,\"engine\":\"0.1.0\",\"made_at\":\"2026-11-16T11:45:27.092271Z\",\"query\":\"how many flashes does the lamp show\",\"session_id\":null,\"asked_at\":\"2026-11-16T11:45:27.092271Z\",\"as_of\":null,\"spaces\":[\"user:default\"],\"revisions\":[10],\"settings\":{\"top_k\":8,\"clip_sentences\":2,\"max_tokens\":1500,\"search_type\":\"hybrid\",\"min_score\":0.3,\"enable_redaction\":false,\"custom_redaction_patterns\":[],\"interleaving\":{\"strategy\":\"alternate\"}},\"redaction\":[],\"tokenizer\":\"o200k_base\",\"template\":\"## Relevant Context from Previous Conversations\\n\\n### Previous Messages\\n[{time}] {who}: {content}\\n\\n### Known Facts\\n- {content} (confidence: {score})\\n\\n### Conversation Summaries\\n- {content}\\n\\n### Documents\\n- {content} (from {source})\\n\\n_Retrieved {count} memories_\\n\",\"memories\":[{\"collection\":\"user:default\",\"item_id\":41,\"item_sha256\":\"36bec2ee3791daf2621d07e75ff1ee1f27d419e4bf740ec53edb820c1c15d6f9\",\"score\":0.7872771583450522,\"original_length\":29,\"span\":{\"start\":0,\"end\":29,\"is_late\":false,\"is_cut\":false}},{\"collection\":\"user:default\",\"item_id\":36,\"item_sha256\":\"eabedccb4a1b60bd9f42ff1c39efc84bccc39e1a782b4c416f4c04822759609d\",\"score\":0.4651942130340361,\"original_length\":982,\"span\":{\"start\":205,\"end\":338,\"is_late\":true,\"is_cut\":true}},{\"collection\":\"user:default\",\"item_id\":10,\"item_sha256\":\"72e6f945f3da2909261ef888965f1c8cedbf470ad1371e71fd24bfe498b2d9b7\",\"score\":0.47427378392700437,\"original_length\":356,\"span\":{\"start\":71,\"end\":120,\"is_late\":true,\"is_cut\":true}}],\"found\":[{\"collection\":\"user:default\",\"item_id\":41},{\"collection\":\"user:default\",\"item_id\":10},{\"collection\":\"user:default\",\"item_id\":36},{\"collection\":\"user:default\",\"item_id\":24},{\"collection\":\"user:default\",\"item_id\":38},{\"collection\":\"user:default\",\"item_id\":17},{\"collection\":\"user:default\",\"item_id\":3}],\"total_tokens\":51,\"memories_sha256\":\"953b9c0b739b2a7c60eb5cfefe679d2ab3450f83db87ca6051063c02c688ec5f\",\"text_sha256\":\"49a2a5eade6768c773706035d57d3319ce2f80335af9304aa5de03c2db17182f\",\"trace\":{\"stages\":[{\"name\":\"question\",\"decisions\":[{\"subject\":\"how\",\"action\":\"dropped\",\"reason\":\"common_word\"},{\"subject\":\"many\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"looked up as mani\"},{\"subject\":\"flashes\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"looked up as flash\"},{\"subject\":\"does\",\"action\":\"dropped\",\"reason\":\"common_word\"},{\"subject\":\"the\",\"action\":\"dropped\",\"reason\":\"common_word\"},{\"subject\":\"lamp\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"looked up as lamp\"},{\"subject\":\"show\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"looked up as show\"}]},{\"name\":\"hybrid\",\"decisions\":[{\"subject\":\"many\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"user:default: in 0 items\"},{\"subject\":\"flashes\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"user:default: in 3 items\"},{\"subject\":\"lamp\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"user:default: in 4 items\"},{\"subject\":\"show\",\"action\":\"kept\",\"reason\":\"word\",\"detail\":\"user:default: in 1 items\"},{\"subject\":\"user:default\",\"action\":\"kept\",\"reason\":\"candidates\",\"detail\":\"4 by words, 7 by meaning, 7 in total, 7 with a score\"}]},{\"name\":\"rank\",\"decisions\":[{\"subject\":\"user:default item 41\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 1, score 0.787277\"},{\"subject\":\"user:default item 10\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 2, score 0.474274\"},{\"subject\":\"user:default item 36\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 3, score 0.465194\"},{\"subject\":\"user:default item 24\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 4, score 0.224124\"},{\"subject\":\"user:default item 38\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 5, score 0.098132\"},{\"subject\":\"user:default item 17\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 6, score 0.015156\"},{\"subject\":\"user:default item 3\",\"action\":\"kept\",\"reason\":\"score\",\"detail\":\"rank 7, score 0.000749\"}]},{\"name\":\"gate\",\"decisions\":[{\"subject\":\"user:default item 24\",\"action\":\"dropped\",\"reason\":\"min_score\",\"detail\":\"score 0.2241 is below 0.3\"},{\"subject\":\"user:default item 38\",\"action\":\"dropped\",\"reason\":\"min_score\",\"detail\":\"score 0.0981 is below 0.3\"},{\"subject\":\"user:default item 17\",\"action\":\"dropped\",\"reason\":\"min_score\",\"detail\":\"score 0.0152 is below 0.3\"},{\"subject\":\"user:default item 3\",\"action\":\"dropped\",\"reason\":\"min_score\",\"detail\":\"score 0.0007 is below 0.3\"},{\"subject\":\"3 passages\",\"action\":\"kept\",\"reason\":\"min_score\",\"detail\":\"scores of at least 0.3\"}]},{\"name\":\"deduplicate\",\"decisions\":[]},{\"name\":\"top_k\",\"decisions\":[]},{\"name\":\"interleave\",\"decisions\":[{\"subject\":\"user:default item 41\",\"action\":\"kept\",\"reason\":\"relevance\",\"detail\":\"place 1, score 0.7873\"},{\"subject\":\"user:default item 36\",\"action\":\"kept\",\"reason\":\"recency\",\"detail\":\"place 2, from 2026-11-16T11:45:26.887604Z\"},{\"subject\":\"user:default item 10\",\"action\":\"kept\",\"reason\":\"relevance\",\"detail\":\"place 3, score 0.4743\"}]},{\"name\":\"clip\",\"decisions\":[{\"subject\":\"user:default item 36\",\"action\":\"changed\",\"reason\":\"clip_sentences\",\"detail\":\"133 of 981 bytes, 2 sentences with the best match\"},{\"subject\":\"user:default item 10\",\"action\":\"changed\",\"reason\":\"clip_sentences\",\"detail\":\"49 of 356 bytes, 2 sentences with the best match\"}]},{\"name\":\"budget\",\"decisions\":[{\"subject\":\"user:default item 41\",\"action\":\"kept\",\"reason\":\"fits\",\"detail\":\"6 tokens, 6 in total\"},{\"subject\":\"user:default item 36\",\"action\":\"kept\",\"reason\":\"fits\",\"detail\":\"31 tokens, 37 in total\"},{\"subject\":\"user:default item 10\",\"action\":\"kept\",\"reason\":\"fits\",\"detail\":\"14 tokens, 51 in total\"}]}]}}');
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
/*!40000 ALTER TABLE `recordar_schema` ENABLE KEYS */;
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
  PRIMARY KEY (`reservation`),
  KEY `reservations_by_day` (`day`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `reservations` WRITE;
/*!40000 ALTER TABLE `reservations` DISABLE KEYS */;
/*!40000 ALTER TABLE `reservations` ENABLE KEYS */;
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
INSERT INTO `spaces` VALUES (1,0x0DE5F418707BB00DBADE9AEF349D22BF41DBEAF6AE8521C6BEEC9B33258066CD,'user:default',1,42,10,1794829527076370,1794829526828106);
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
INSERT INTO `threads` VALUES (1,37,0x3DC548D7CDB8D1638E664F7EB425D7EC7972254E0C2EB4B138863D17CA937BA9,'supplies','Supplies',7,7);
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
INSERT INTO `tombstones` VALUES (1,39,12,9);
INSERT INTO `tombstones` VALUES (1,40,2,9);
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
  PRIMARY KEY (`space_id`,`version_id`),
  UNIQUE KEY `space_id` (`space_id`,`document_id`,`number`),
  KEY `versions_by_change` (`space_id`,`changed`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `versions` WRITE;
/*!40000 ALTER TABLE `versions` DISABLE KEYS */;
INSERT INTO `versions` VALUES (1,2,1,1,0xB3DCDD9F3878C0D35E5CFA8585D2DA20CE515CE44434D76547BD105AC6F3C2D5,385,385,1794829526634340,'json','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,120,0,1794829526828106,1,NULL,1);
INSERT INTO `versions` VALUES (1,9,8,1,0x7D39DEBA00D20B602294FDC35C3E34E0E7B5D940270968281C4A0FB6FCDF4B70,357,356,1794829526634376,'yaml','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,92,0,1794829526857732,2,NULL,2);
INSERT INTO `versions` VALUES (1,16,15,1,0x211B53FEBBF8954369DC6F20B40E4406122D1E81F1CE0BBA1E39258BF47CAF43,368,368,1794829526634403,'markdown','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,92,0,1794829526864436,3,NULL,3);
INSERT INTO `versions` VALUES (1,23,22,1,0x45D4EFF2766717520C6AA344AACB2633040DA3CA68FB9ABD474A61CDC78E5975,563,563,1794829526634418,'text','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,131,0,1794829526869458,4,NULL,4);
INSERT INTO `versions` VALUES (1,29,28,1,0x207A1E322B69A34E5A595A1730C38B54F444112673AD58475CC3B0883C2B2279,980,980,1794829526634435,'markdown','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,216,0,1794829526876539,5,6,6);
INSERT INTO `versions` VALUES (1,35,28,2,0x2D2C2C93987D4B2DD8C1AA145C3C37423DB1E9BFD9A518EF917D3D5B700D678F,982,982,1794829526887604,'markdown','[\"file_ingest\",\"handbook\"]','keeping the light',NULL,NULL,'{}','{\"method\":\"delimiter\",\"min_tokens\":300,\"max_tokens\":500,\"delimiters\":[\".\",\"。\",\"\\n\"]}','o200k_base',1,216,0,1794829526916292,6,NULL,6);
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

